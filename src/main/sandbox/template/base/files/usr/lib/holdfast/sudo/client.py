#!/usr/bin/python3 -ISB
"""The command `sudo` of a sandbox: hands the command to the broker and stands in for it (broker.py)."""

import errno
import fcntl
import json
import os
import select
import signal
import socket
import struct
import sys
import termios
import tty

ADDRESS = "\0holdfast-sudo"
SUDO = "/usr/lib/holdfast/sudo/sudo"
PASSED_SIGNALS = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGALRM,
)


def main():
    arguments = sys.argv[1:]
    if os.path.basename(sys.argv[0]) == "sudoedit":
        arguments.insert(0, "-e")
    if os.geteuid() == 0:
        os.execv(SUDO, ["sudo", *arguments])
    try:
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(ADDRESS)
    except OSError as failure:
        sys.exit(f"sudo: the sandbox's sudo broker does not answer: {failure.strerror}")
    terminals = [descriptor for descriptor in (0, 1, 2) if os.isatty(descriptor)]
    if terminals:
        status = run_on_terminal(connection, arguments, terminals)
    else:
        send_request(connection, arguments, [0, 1, 2], False)
        pass_signals(connection)
        status = receive_status(connection)
    end_like(status)


def send_request(connection, arguments, descriptors, terminal):
    mask = os.umask(0)
    os.umask(mask)
    request = {
        "arguments": arguments,
        "environment": dict(os.environ),
        "directory": os.getcwd(),
        "umask": mask,
        "terminal": terminal,
    }
    body = json.dumps(request).encode()
    socket.send_fds(connection, [struct.pack(">I", len(body))], descriptors)
    connection.sendall(body)


def pass_signals(connection):
    def pass_on(number, _):
        try:
            connection.send(bytes([number]))
        except OSError:
            pass  # the command has ended; its status is on the way

    for number in PASSED_SIGNALS:
        # What the caller ignores (nohup), the command ignores too.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, pass_on)


def receive_status(connection):
    answer = b""
    while len(answer) < 4:
        part = connection.recv(4 - len(answer))
        if not part:
            sys.exit("sudo: the sandbox's sudo broker refused or ended")
        answer += part
    return struct.unpack(">i", answer)[0]


def end_like(status):
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status if status >= 0 else 128 - status)


def run_on_terminal(connection, arguments, terminals):
    """A command of another session cannot share our terminal, so it gets one of its own, relayed."""
    screen = terminals[0]
    master, slave = os.openpty()
    before = termios.tcgetattr(screen)
    termios.tcsetattr(slave, termios.TCSANOW, before)
    copy_size(screen, master)
    given = [slave if descriptor in terminals else descriptor for descriptor in (0, 1, 2)]
    # setsid takes the terminal from descriptor 0; without one there, the command has none.
    send_request(connection, arguments, given, 0 in terminals)
    os.close(slave)
    pass_signals(connection)
    signal.signal(signal.SIGWINCH, lambda *_: copy_size(screen, master))
    reads_keys = 0 in terminals and os.tcgetpgrp(0) == os.getpgrp()
    try:
        if reads_keys:
            tty.setraw(screen, termios.TCSADRAIN)
        return relay(connection, screen, master, reads_keys)
    finally:
        if reads_keys:
            termios.tcsetattr(screen, termios.TCSADRAIN, before)


def copy_size(source, target):
    size = fcntl.ioctl(source, termios.TIOCGWINSZ, bytes(8))
    fcntl.ioctl(target, termios.TIOCSWINSZ, size)


def relay(connection, screen, master, reads_keys):
    sources = [connection, master] + ([0] if reads_keys else [])
    while True:
        ready, _, _ = select.select(sources, [], [])
        if master in ready and not copy(master, screen):
            sources.remove(master)
        if 0 in ready and not copy(0, master):
            sources.remove(0)
        if connection in ready:
            status = receive_status(connection)
            # What the command wrote last may still lie in its terminal.
            while master in sources and select.select([master], [], [], 0)[0]:
                if not copy(master, screen):
                    break
            return status


def copy(source, target):
    try:
        part = os.read(source, 65536)
    except OSError as failure:
        if failure.errno != errno.EIO:  # EIO is how a terminal says that its other end has closed
            raise
        return False
    rest = memoryview(part)
    while rest:
        rest = rest[os.write(target, rest) :]
    return bool(part)


if __name__ == "__main__":
    main()
