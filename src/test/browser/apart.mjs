// Inside that network: leads the ports of the server, in HOLDFAST_RELAY one socket file each, to outside, and runs Chromium.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

const { HOLDFAST_RELAY, HOLDFAST_CHROMIUM = '/usr/bin/chromium' } = process.env

spawnSync('ip', ['link', 'set', 'lo', 'up'])
for (const port of readdirSync(HOLDFAST_RELAY)) {
  const relay = createServer((inside) => {
    const outside = connect(join(HOLDFAST_RELAY, port))
    // Whoever has left is no longer written to; what the server said last still arrives.
    inside.on('close', () => outside.destroy())
    for (const [one, other] of [[inside, outside], [outside, inside]]) {
      one.pipe(other)
      one.on('error', () => other.destroy())
    }
  })
  relay.listen(Number(port), '127.0.0.1')
  await once(relay, 'listening')
}
// 3 and 4 are how it is driven.
const chromium = spawn(HOLDFAST_CHROMIUM, process.argv.slice(2), { stdio: [0, 1, 2, 3, 4] })
chromium.on('exit', (code) => process.exit(code ?? 1))
process.on('SIGTERM', () => chromium.kill())
