#!/bin/bash
# Turns the extended tree $1 into the template's root. Runs outside the tree, as root, once the packages are in.
set -euo pipefail

root=$1

# The tests of the libraries are a third of them, and nobody runs them in a sandbox.
find "$root"/usr/lib/python3/dist-packages -type d -name tests -prune -exec rm -rf {} +

# What the first import would make: the list of fonts, which takes seconds in a sandbox.
chroot --userspec=1000:1000 "$root" env -i HOME=/home/user PATH=/usr/bin:/bin LC_ALL=C.UTF-8 MPLBACKEND=agg PYTHONHASHSEED=0 \
    python3 -B -c 'import matplotlib.font_manager'

rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/* "$root"/var/cache/debconf/*-old \
    "$root"/var/cache/ldconfig/* "$root"/var/cache/fontconfig/* "$root"/var/log/* "$root"/var/lib/dpkg/*-old \
    "$root"/etc/passwd- "$root"/etc/group- "$root"/etc/shadow- "$root"/etc/gshadow- \
    "$root"/etc/subuid- "$root"/etc/subgid- "$root"/etc/.pwd.lock "$root"/run/* "$root"/tmp/*
mkdir -p "$root"/var/log/apt "$root"/var/lib/apt/lists/partial "$root"/var/cache/apt/archives/partial
