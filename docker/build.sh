#!/bin/bash
# Builds holdfast-control and holdfast-worker with podman, on a Debian made from this machine's own package sources: where no registry
# can be reached.
#
#   build.sh           the two images, from what `mvn package` made in target/
#   build.sh --system  only what they stand on: it needs nothing of target/, and is kept
#
# As root, on a machine that prepare-host.sh has prepared and that has podman and runc. The images are podman.sh's.
set -euo pipefail
export LC_ALL=C.UTF-8
umask 022

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
top=$(dirname -- "$here")
# shellcheck source=../src/main/sandbox/debian.sh
. "$top/src/main/sandbox/debian.sh"

readonly DEBIAN=localhost/holdfast-debian

say() { printf '%s\n' "$*"; }

fail() {
    printf 'build: %s\n' "$@" >&2
    exit 1
}

# The least that is a Debian, without documentation, as images have it.
bootstrap() {
    say "bootstrapping Debian $TEMPLATE_SUITE for the images"
    apt_settings
    persistently mmdebstrap --mode=root --format=tar --variant=minbase --aptopt="$work/apt.conf" \
        --dpkgopt="$top/src/main/sandbox/template/base/files/etc/dpkg/dpkg.cfg.d/holdfast" \
        "$TEMPLATE_SUITE" "$work/debian.tar" "$work"/sources.d/* ||
        fail "Debian $TEMPLATE_SUITE could not be bootstrapped; the lines above say why"
    quietly "$here/podman.sh" import "$work/debian.tar" "$DEBIAN" || fail "the bootstrapped Debian is no image"
}

# The stage $1, called $2.
build() {
    persistently "$here/podman.sh" build --file "$here/Dockerfile" --build-arg BASE="$DEBIAN" --target "$1" --tag "localhost/$2" \
        --pull-never --layers --format docker --isolation chroot --network host "$top" ||
        fail "$2 could not be built; the lines above say why"
    say "built localhost/$2"
}

main() {
    [[ $# -eq 0 || $* == --system ]] || fail "usage: build.sh [--system]"
    work=$(mktemp -d)
    trap 'rm -rf --one-file-system -- "$work"' EXIT
    mkdir -p -- "${HOLDFAST_CACHE:-/var/cache/holdfast}"
    exec 9>/run/lock/holdfast-build-image.lock
    flock -w 1200 9 || fail "another run of build.sh has gone on for 20 minutes"
    "$here/podman.sh" image exists "$DEBIAN" || bootstrap
    build worker-system holdfast-worker-system
    [[ $# -eq 0 ]] || return 0
    build control holdfast-control
    build worker holdfast-worker
}

main "$@"
