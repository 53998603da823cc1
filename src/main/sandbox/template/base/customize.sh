#!/bin/bash
# Turns the bootstrapped tree $1 into the template's root. Runs outside the tree, as root, once the
# bootstrap tool has ended.
set -euo pipefail

root=$1
recipe=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

# The bootstrap tool leaves the machine's own resolver, host name and fetch settings behind.
rm -f "$root"/etc/resolv.conf "$root"/etc/hostname "$root"/etc/apt/apt.conf.d/99mmdebstrap \
    "$root"/etc/dpkg/dpkg.cfg.d/99mmdebstrap
# Never a mirror's password inside an image.
find "$root"/etc/apt -name '*.list' -o -name '*.sources' | while read -r sources; do
    sed -i -E 's#(://)[^/@[:space:]]+@#\1#g' "$sources"
done

cp -R --no-preserve=all "$recipe"/files/. "$root"/
chmod 0440 "$root"/etc/sudoers.d/user
chmod 0755 "$root"/usr/lib/holdfast/sudo/client.py

chroot "$root" useradd --uid 1000 --user-group --create-home --shell /bin/bash user
# The day of creation would make every build differ.
sed -i -E 's/^([^:]*:[^:]*:)[0-9]+:/\119000:/' "$root"/etc/shadow

# gVisor ignores set-user-ID bits, so the real sudo can only be run by root. A diversion, so that
# upgrading the package inside a sandbox does not put it back. See files/usr/lib/holdfast/sudo.
chroot "$root" dpkg-divert --quiet --local --rename --divert /usr/lib/holdfast/sudo/sudo --add /usr/bin/sudo
ln -s ../lib/holdfast/sudo/client.py "$root"/usr/bin/sudo
chroot "$root" python3 -I -m compileall -q --invalidation-mode unchecked-hash /usr/lib/holdfast

# Every command is run by a login shell, and a process more costs it tens of milliseconds in gVisor.
# shellcheck disable=SC2016 # the profile's expansions
sed -i 's/"$(id -u)"/"${EUID:-$(id -u)}"/' "$root"/etc/profile

: >"$root"/etc/machine-id
# gVisor asks for read permission where `ls -l` looks for access lists, and would show an error instead.
chmod 0755 "$root"/root
chmod 1777 "$root"/tmp
rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/* "$root"/var/cache/debconf/*-old \
    "$root"/var/cache/ldconfig/* "$root"/var/log/* "$root"/var/lib/dpkg/*-old \
    "$root"/etc/passwd- "$root"/etc/group- "$root"/etc/shadow- "$root"/etc/gshadow- \
    "$root"/etc/subuid- "$root"/etc/subgid- "$root"/etc/.pwd.lock "$root"/run/* "$root"/tmp/*
mkdir -p "$root"/var/log/apt "$root"/var/lib/apt/lists/partial "$root"/var/cache/apt/archives/partial
