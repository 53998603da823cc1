import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capture, eventually, numbers, open, sleep, start, within } from './js/stage.mjs'

// Numbered lines with a little time between them: a loss or a repetition shows.
const lines = (n, pause) =>
  `python3 -u -c "import time\nfor i in range(1, ${n} + 1):\n  print(i, flush=True)\n  time.sleep(${pause})"`

test('an open output stream and a running command go through three captures without loss or repetition', async (t) => {
  const sandbox = await open(t)
  const handle = await start(sandbox, lines(1_500, 0.004))
  const other = sandbox.commands.run('for i in $(seq 60); do echo $i; sleep 0.05; done')
  await eventually('lines come', async () => numbers(handle).length, (n) => n > 20)
  for (let i = 0; i < 3; i++) {
    const before = numbers(handle).length
    await capture(t, sandbox)
    if (handle.exitCode === undefined) {
      await eventually('lines come after the capture', async () => numbers(handle).length, (n) => n > before)
    }
  }
  const result = await within(60_000, 'the stream ends', handle.wait())
  assert.equal(result.exitCode, 0)
  assert.deepEqual(numbers(handle), Array.from({ length: 1_500 }, (_, index) => index + 1))
  const { stdout } = await within(60_000, 'the other command ends', other)
  assert.deepEqual(stdout, Array.from({ length: 60 }, (_, index) => `${index + 1}\n`).join(''))
})

test('a flood of output goes through a capture without loss', async (t) => {
  const sandbox = await open(t)
  const handle = await start(sandbox, 'seq 1 600000')
  await capture(t, sandbox)
  await within(120_000, 'the flood ends', handle.wait())
  const seen = numbers(handle)
  assert.equal(seen.length, 600_000)
  assert.ok(seen.every((number, index) => number === index + 1), 'each number once, in its place')
})

test('input typed around a capture arrives once and in order', async (t) => {
  const sandbox = await open(t)
  const handle = await start(sandbox, 'cat', { stdin: true })
  const typing = (async () => {
    for (let i = 1; i <= 100; i++) await handle.sendStdin(`${i}\n`)
  })()
  await capture(t, sandbox)
  await typing
  await handle.closeStdin()
  await within(30_000, 'cat ends', handle.wait())
  assert.deepEqual(numbers(handle), Array.from({ length: 100 }, (_, index) => index + 1))
})

test('characters of several bytes survive every border of the frames', async (t) => {
  const sandbox = await open(t)
  const { stdout, stderr } = await sandbox.commands.run(
    `PYTHONUTF8=1 python3 -c "import sys; sys.stdout.write('€ä𝄞' * 40000); sys.stderr.write('ß' * 50001)"`,
  )
  assert.equal(stdout, '€ä𝄞'.repeat(40_000))
  assert.equal(stderr, 'ß'.repeat(50_001))
})

test('a client that does not read holds up no other stream', async (t) => {
  const sandbox = await open(t)
  let read
  const reading = new Promise((resolve) => (read = resolve))
  const flood = await start(sandbox, 'yes floods the channel', { onStdout: () => reading })
  flood.wait().catch(() => {})
  await sleep(2_000)
  for (let i = 0; i < 3; i++) {
    const { stdout } = await within(10_000, 'another command', sandbox.commands.run(`echo ${i}`))
    assert.equal(stdout, `${i}\n`)
  }
  assert.equal(await within(10_000, 'the kill', sandbox.commands.kill(flood.pid)), true)
  read()
  await flood.disconnect()
})

test('two clients of one process both hear everything from their coming', async (t) => {
  const sandbox = await open(t)
  const first = await start(sandbox, lines(200, 0.02))
  const second = await sandbox.commands.connect(first.pid, { timeoutMs: 0 })
  await within(30_000, 'both end', Promise.all([first.wait(), second.wait()]))
  assert.deepEqual(numbers(first), Array.from({ length: 200 }, (_, index) => index + 1))
  const heard = numbers(second)
  assert.deepEqual(heard, Array.from({ length: heard.length }, (_, index) => 201 - heard.length + index))
  assert.ok(heard.length > 50, `${heard.length} lines after attaching`)
})
