#!/bin/bash
# Whether this container's server is ready: asked of its management port, which need not be open to anybody else.
set -euo pipefail

host=${HOLDFAST_MANAGEMENT_ADDRESS:-127.0.0.1}
[[ $host != 0.0.0.0 ]] || host=127.0.0.1
exec 3<>"/dev/tcp/$host/${HOLDFAST_MANAGEMENT_PORT:-9990}"
printf 'GET /health/ready HTTP/1.0\r\n\r\n' >&3
read -r -t 4 _ status _ <&3
# What is not ready says so; whoever looks at the container finds it there.
sed '1,/^\r$/d' <&3
[[ $status == 200 ]]
