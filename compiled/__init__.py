"""Native builds of single source files that also run as plain Python; nothing ever needs one."""
