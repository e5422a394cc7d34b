"""Knows how an explorer is opened, drawn and filmed, and nothing of what it shows."""
