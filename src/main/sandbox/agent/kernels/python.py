"""The interpreter of a Python context. Its one argument is the descriptor over which it is asked.

It is one process with the user's own code in its main thread, so that an interrupt reaches it and a capture holds it.
"""

import os
import sys

from holdfast_kernel.wire import Wire

# Code finds modules where it runs, and none of ours by accident.
sys.path[0] = ""


def main() -> None:
    wire = Wire(int(sys.argv[1]))
    sys.argv = [""]
    os.environ.setdefault("MPLBACKEND", "agg")
    try:
        from holdfast_kernel.shell import Shell
    except ImportError:
        from holdfast_kernel.plain import Shell
    from holdfast_kernel.session import Session

    Session(wire, Shell).run()


main()
