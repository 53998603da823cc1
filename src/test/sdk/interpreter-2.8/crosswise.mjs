// crosswise.mjs save TOTAL: keeps a sandbox in which `total` is that, and says the snapshot's ID.
// crosswise.mjs load ID: says `total` of a sandbox made from that snapshot.
import { Sandbox } from './sdk.mjs'

const [what, argument] = process.argv.slice(2)
if (what === 'save') {
  const sandbox = await Sandbox.create()
  await sandbox.runCode(`total = ${argument}`)
  const { snapshotId } = await sandbox.createSnapshot({ requestTimeoutMs: 280_000 })
  await sandbox.kill()
  console.log(snapshotId)
} else {
  const sandbox = await Sandbox.create(argument)
  const { text, error } = await sandbox.runCode('total')
  await sandbox.kill()
  console.log(error ? error.value : text)
}
