"""Situations that users of other translators have reported, one case each."""
