#!/bin/bash
# podman with images and containers of its own, below HOLDFAST_CACHE: those of the machine are left alone.
exec podman --root "${HOLDFAST_CACHE:-/var/cache/holdfast}/containers" --runroot /run/holdfast-containers \
    --cgroup-manager cgroupfs --events-backend none --runtime runc "$@"
