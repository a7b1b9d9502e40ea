"""Matching and block triangular forms."""
