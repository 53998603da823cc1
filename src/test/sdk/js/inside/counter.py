"""Counts in memory, and says each number in a file and on the output."""

import time

number = 0
with open("/home/user/ticks", "w", buffering=1) as ticks:
    while True:
        number += 1
        ticks.write(f"{number} {time.time():.3f}\n")
        print(number, flush=True)
        time.sleep(0.05)
