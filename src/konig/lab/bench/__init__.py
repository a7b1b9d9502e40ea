"""``konig bench``: methods and other libraries side by side, every answer checked."""
