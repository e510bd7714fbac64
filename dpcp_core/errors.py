"""What the library raises and warns about."""

from __future__ import annotations


class InputError(ValueError):
    """Something the caller gave cannot be used; the message is one plain sentence with the fix."""


class NotPrivateError(InputError):
    """A release was asked of something that is not private."""


class PrivacyLeakWarning(UserWarning):
    """A simulation uses something that a release would refuse, because it is read off private rows."""
