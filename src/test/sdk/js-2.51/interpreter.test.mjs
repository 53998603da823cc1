import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sandbox } from 'e2b'
import { capture, eventually, newName, open, openAll, start } from './js/stage.mjs'

// An interpreter session held by a background process: what is typed goes in by its input, what it
// says comes out by its output.
const repl = 'python3 -i -q -u -c "import sys; sys.ps1 = sys.ps2 = \'\'"'

class Session {
  constructor(sandbox, handle) {
    this.sandbox = sandbox
    this.handle = handle
    handle.wait().catch(() => {})
  }

  static async begin(sandbox) {
    return new Session(sandbox, await start(sandbox, repl, { stdin: true }))
  }

  static async of(sandbox, pid) {
    return new Session(sandbox, await sandbox.commands.connect(pid, { timeoutMs: 0 }))
  }

  async evaluate(expression) {
    const mark = newName('said')
    await this.type(`print("${mark}", repr((${expression})), "end")\n`)
    const said = new RegExp(`${mark} (.*) end\\n`)
    const { stdout } = await eventually(
      `an answer to ${expression}`,
      async () => ({ stdout: this.handle.stdout, stderr: this.handle.stderr }),
      (heard) => said.test(heard.stdout),
    )
    return said.exec(stdout)[1]
  }

  type(text) {
    return this.sandbox.commands.sendStdin(this.handle.pid, text)
  }
}

test('R3 R60a R81 R82 an interpreter session keeps its variables and functions through a snapshot', async (t) => {
  const source = await open(t)
  const session = await Session.begin(source)
  await session.type('total = 42\n')
  await session.type('def twice(x):\n    return 2 * x\n\n')
  await session.type('names = {"a": [1, 2, 3]}; import math; log = open("/home/user/log", "w")\n')
  assert.equal(await session.evaluate('total'), '42')

  const snapshot = await capture(t, source)
  await session.type('total = 43\n')
  assert.equal(await session.evaluate('total'), '43', 'the source’s session goes on')
  assert.equal(await Sandbox.kill(source.sandboxId), true)

  const [a, b] = await openAll(t, 2, snapshot.snapshotId)
  const [inA, inB] = [await Session.of(a, session.handle.pid), await Session.of(b, session.handle.pid)]
  for (const clone of [inA, inB]) {
    assert.equal(await clone.evaluate('total'), '42')
    assert.equal(await clone.evaluate('twice(total)'), '84')
    assert.equal(await clone.evaluate('names["a"][-1] + math.floor(math.pi)'), '6')
    assert.equal(await clone.evaluate('log.write("still open"), log.flush()'), '(10, None)')
  }
  await inA.type('total = 1\n')
  assert.equal(await inA.evaluate('total'), '1')
  assert.equal(await inB.evaluate('total'), '42', 'one clone’s session is not the other’s')
  assert.equal(await a.files.read('/home/user/log'), 'still open')
})
