"""What players and operators may do about what is said: mute, report, silence."""
