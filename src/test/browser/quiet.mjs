// A network of its own for the browser. It gives up whatever is under way when an interface of its host comes or goes, and
// here that happens with every sandbox. In a network namespace nothing changes; a relay leads out of it to the server.
//
// node quiet.mjs PLACE PORT...: the inner end. It listens on the ports and goes with the browser, its parent.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = fileURLToPath(import.meta.url)

/** Both directions, until either ends. */
function both(one, other) {
  one.pipe(other)
  other.pipe(one)
  for (const [each, peer] of [[one, other], [other, one]]) {
    each.on('error', () => peer.destroy())
    each.on('close', () => peer.destroy())
  }
}

/**
 * An executable that starts the browser so. The outer end of the relay lives in this process.
 *
 * @param ports of 127.0.0.1 that the browser is to reach
 */
export function quiet(browser, ports) {
  const place = mkdtempSync(join(tmpdir(), 'holdfast-browser-'))
  for (const port of ports) {
    createServer((socket) => both(socket, connect(port, '127.0.0.1'))).listen(join(place, String(port))).unref()
  }
  const script = join(place, 'browser')
  const relay = `"${process.execPath}" "${HERE}" "${place}" ${ports.join(' ')}`
  writeFileSync(
    script,
    `#!/bin/sh
rm -f "${place}/ready"
exec unshare --net sh -c 'ip link set lo up
${relay} 3<&- 4>&- </dev/null >/dev/null 2>&1 &
for i in $(seq 250); do [ -e "${place}/ready" ] && break; sleep 0.02; done
exec "${browser}" "$@"' sh "$@"
`,
    { mode: 0o755 },
  )
  return script
}

async function relay(place, ports) {
  const parent = process.ppid
  await Promise.all(
    ports.map(
      (port) => new Promise((done) => createServer((socket) => both(socket, connect(join(place, port)))).listen(Number(port), '127.0.0.1', done)),
    ),
  )
  writeFileSync(join(place, 'ready'), '')
  setInterval(() => process.ppid === parent || process.exit(), 200)
}

if (process.argv[1] === HERE) {
  const [place, ...ports] = process.argv.slice(2)
  await relay(place, ports)
}
