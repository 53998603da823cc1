#!/bin/bash
# Read by the first process of the sandbox that prepare-host.sh runs as proof: as root, on its input.
set -eu
test "$(id -u)" = 0
test -f /usr/lib/holdfast/agent/__main__.py
git --version
curl --version
ps -o pid,comm -p 1
tput -T xterm cols
python3 -c 'import ctypes, json, sqlite3, ssl, venv'
getent hosts localhost
grep -q lo: /proc/net/dev

# As process 1 starts it: the listening socket is its input.
python3 -c '
import os, socket
listener = socket.socket(socket.AF_UNIX)
listener.bind("\0holdfast-sudo")
listener.listen()
os.dup2(listener.fileno(), 0)
os.execv("/usr/bin/python3", ["python3", "-ISB", "/usr/lib/holdfast/sudo/broker.py"])
' &
for _ in $(seq 100); do
    ! grep -q holdfast-sudo /proc/net/unix || break
    sleep 0.1
done
# shellcheck disable=SC2016 # the inner shell's expansions
setpriv --reuid=1000 --regid=1000 --init-groups bash -euc '
    test "$(id -un)" = user
    touch ~user/written
    test "$(sudo -n id -u)" = 0
' </dev/null
kill %1
echo "sandbox works"
