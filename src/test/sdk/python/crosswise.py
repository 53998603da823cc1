"""crosswise.py save TOTAL: keeps a sandbox in which `total` is that, and says the snapshot's ID.

crosswise.py load ID: says `total` of a sandbox made from that snapshot.
"""

import sys

from e2b_code_interpreter import Sandbox

what, argument = sys.argv[1:]
if what == "save":
    sandbox = Sandbox.create()
    sandbox.run_code(f"total = {argument}")
    snapshot = sandbox.create_snapshot(request_timeout=280)
    sandbox.kill()
    print(snapshot.snapshot_id)
else:
    sandbox = Sandbox.create(argument)
    execution = sandbox.run_code("total")
    sandbox.kill()
    print(execution.error.value if execution.error else execution.text)
