#!/bin/sh
# Chromium in a network of its own. It takes every interface that comes or goes on its host for a change of its network and
# drops what it is loading, and every sandbox has an interface.
exec unshare --net -- node "$(dirname "$0")/apart.mjs" "$@"
