"""How a method is run on each kind of machine."""
