"""Other libraries' arrays, taken in and given back."""
