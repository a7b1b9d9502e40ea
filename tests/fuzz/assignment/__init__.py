"""Assignment problems."""
