"""Holds megabytes of random memory until it is killed."""

import os
import sys
import time

ballast = [os.urandom(1 << 20) for _ in range(int(sys.argv[1]))]
print("ready", len(ballast), flush=True)
while True:
    time.sleep(3600)
