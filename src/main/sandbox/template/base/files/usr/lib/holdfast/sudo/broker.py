"""Runs the real sudo, as root, for the processes of `user`.

gVisor ignores set-user-ID bits, so a process of `user` can never become root by itself. The sandbox's
process 1 starts this broker as root at the first call, with the listening socket as its input; the
command `sudo` (client.py) sends it what to run.

What is promised: any options of sudo work, because sudo itself does the rest; the command gets the
caller's own descriptors, environment, directory and umask; its exit status and the caller's signals
pass through. Only `user` and root are served. Both may be root anyway, so nothing is guarded here
beyond that: the sandbox's border lies elsewhere.

One difference from a real sudo: SUDO_USER and SUDO_UID name root, because root is who calls it.

Wire: one connection per command over an abstract socket. The caller sends a length (4 bytes), as many
bytes of JSON, and three descriptors with the first byte; then one byte per signal. The broker answers
with the status (4 bytes, as from Popen.returncode) and closes.
"""

import json
import os
import pwd
import signal
import socket
import struct
import subprocess
import sys
import threading

SUDO = "/usr/lib/holdfast/sudo/sudo"
LARGEST_REQUEST = 4 * 1024 * 1024  # the kernel's own bound on arguments and environment is below
MOST_AT_ONCE = 256


def main():
    served = {0, pwd.getpwnam("user").pw_uid}
    room = threading.BoundedSemaphore(MOST_AT_ONCE)
    # Commands inherit these; whoever started the broker may have ignored them.
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    with socket.socket(fileno=0) as listener:
        listener.setblocking(True)
        while True:
            connection, _ = listener.accept()
            if peer(connection) not in served or not room.acquire(blocking=False):
                connection.close()
                continue
            try:
                threading.Thread(target=serve, args=(connection, room), daemon=True).start()
            except RuntimeError:  # no more threads: this caller fails, the next one may not
                connection.close()
                room.release()


def peer(connection):
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return struct.unpack("iII", credentials)[1]


def serve(connection, room):
    try:
        with connection:
            process = start(connection)
            waiter = threading.Thread(target=answer, args=(connection, process), daemon=True)
            waiter.start()
            pass_signals(connection, process)
            waiter.join()
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as failure:
        print(f"sudo broker: {failure}", file=sys.stderr)
    finally:
        room.release()


def start(connection):
    head, descriptors, _, _ = socket.recv_fds(connection, 4, 3)
    try:
        request = json.loads(receive(connection, struct.unpack(">I", head)[0]))
        if len(descriptors) != 3:
            raise ValueError("three descriptors are needed")
        # A terminal becomes the controlling one of the command's own session: its job control and
        # its signals then come from the terminal itself.
        terminal = request["terminal"]
        command = [SUDO, *request["arguments"]]
        return subprocess.Popen(
            ["/usr/bin/setsid", "--ctty", *command] if terminal else command,
            stdin=descriptors[0],
            stdout=descriptors[1],
            stderr=descriptors[2],
            env=request["environment"],
            cwd=request["directory"],
            umask=request["umask"],
            start_new_session=not terminal,
        )
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def receive(connection, length):
    if length > LARGEST_REQUEST:
        raise ValueError("request too large")
    body = bytearray()
    while len(body) < length:
        part = connection.recv(min(65536, length - len(body)))
        if not part:
            raise ValueError("request cut short")
        body += part
    return body


def answer(connection, process):
    status = process.wait()
    try:
        connection.sendall(struct.pack(">i", status))
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # the caller is gone, and nobody else wants the status


def pass_signals(connection, process):
    while numbers := connection.recv(64):
        for number in numbers:
            if number in signal.valid_signals():
                process.send_signal(number)
    # End of the connection before the status: the caller was killed, and its command follows it.
    if process.poll() is None:
        process.terminate()


if __name__ == "__main__":
    main()
