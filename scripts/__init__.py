"""The toolchain: what the Makefile calls. Nothing in the rooms imports it."""
