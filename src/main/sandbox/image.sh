# shellcheck shell=bash
# Read by whoever makes a template's image, so that there is one way they are made.

# zstd at a low level: nearly as quick to build as lz4, a third smaller, and just as quick to start from.
readonly IMAGE_OPTIONS=(-comp zstd -Xcompression-level 3 -b 128K)
# Times that a build would make its own; a fixed moment instead, so that equal inputs give equal images.
readonly EPOCH=1704067200

# The tree $1 becomes the image $2; further arguments are more options.
make_image() {
    mksquashfs "$1" "$2" "${IMAGE_OPTIONS[@]}" -mkfs-time "$EPOCH" -noappend -no-progress "${@:3}"
}
