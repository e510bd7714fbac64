"""What the library raises and warns about."""

from __future__ import annotations


class InputError(ValueError):
    """Something the caller gave cannot be used; the message is one plain sentence with the fix."""


class DecimalMarkError(InputError):
    """Nothing in a file tells whether a mark in its numbers is a decimal or a thousands mark."""


class NotPrivateError(InputError):
    """A release was asked of something that is not private."""


class PrivacyLeakWarning(UserWarning):
    """A simulation uses something that a release would refuse, because it is read off private rows."""


class BudgetExceededError(InputError):
    """A release would spend more than its table's owner allows."""
