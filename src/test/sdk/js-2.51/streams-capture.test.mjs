// What is open while its sandbox is captured, beside the output of commands (streams.test.mjs): terminals
// and watched directories, in both shapes. The source is left running and must not notice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sandbox } from 'e2b'
import { capture, count, eventually, open, sleep, start, within } from './js/stage.mjs'

const rounds = count('HOLDFAST_TEST_CAPTURES', 2)

test('an open terminal goes through captures without loss or repetition, and takes input afterwards', async (t) => {
  const sandbox = await open(t)
  let text = ''
  const decoder = new TextDecoder()
  const terminal = await sandbox.pty.create({
    cols: 80,
    rows: 24,
    timeoutMs: 0,
    onData: (data) => (text += decoder.decode(data, { stream: true })),
  })
  const lines = () => [...text.matchAll(/^n(\d+)\r$/gm)].map(([, number]) => Number(number))
  await sandbox.pty.sendInput(
    terminal.pid,
    Buffer.from("stty -echo; PS1=; python3 -u -c \"import time\nfor i in range(1, 1201):\n  print('n%d' % i)\n  time.sleep(0.004)\"\n"),
  )
  await eventually('lines come', async () => lines().length, (n) => n > 20)
  for (let i = 0; i < rounds; i++) {
    await capture(t, sandbox)
    await sandbox.pty.resize(terminal.pid, { cols: 90 + i, rows: 24 })
  }
  await eventually('all lines are there', async () => lines().length, (n) => n >= 1200, 60_000)
  assert.deepEqual(lines(), Array.from({ length: 1200 }, (_, index) => index + 1))
  await sandbox.pty.sendInput(terminal.pid, Buffer.from('tput cols; exit\n'))
  await within(15_000, 'the terminal ends', terminal.wait())
  assert.match(text, new RegExp(`^${89 + rounds}\\r$`, 'm'))
})

// Files made one after the other, all the time, each with a number: a loss or a repetition shows.
const maker = (n) =>
  `python3 -u -c "import time\nfor i in range(1, ${n} + 1):\n  open('/home/user/watched/f%d' % i, 'x').close()\n  time.sleep(0.004)"`

test('a watch goes through captures without loss or repetition, also in directories made meanwhile', async (t) => {
  const sandbox = await open(t)
  await sandbox.files.makeDir('watched')
  const seen = []
  let ended
  const watch = await sandbox.files.watchDir('watched', (event) => void seen.push(event), {
    recursive: true,
    timeoutMs: 0,
    onExit: (failure) => (ended = failure ?? 'without a reason'),
  })
  const made = () => seen.filter((event) => event.type === 'create' && event.name.startsWith('f'))
  const making = await start(sandbox, maker(1000))
  await eventually('events come', async () => made().length, (n) => n > 20)
  for (let i = 0; i < rounds; i++) {
    await Promise.all([
      capture(t, sandbox),
      sandbox.commands.run(`mkdir -p watched/d${i}/e && echo x > watched/d${i}/e/g`),
    ])
  }
  await within(60_000, 'the maker ends', making.wait())
  await eventually('all events are there', async () => made().length, (n) => n >= 1000)
  await sleep(500)
  assert.deepEqual(made().map((event) => event.name), Array.from({ length: 1000 }, (_, index) => `f${index + 1}`))
  for (let i = 0; i < rounds; i++) {
    for (const name of [`d${i}`, `d${i}/e`, `d${i}/e/g`]) {
      assert.equal(seen.filter((event) => event.type === 'create' && event.name === name).length, 1, name)
    }
  }
  assert.equal(ended, undefined)
  await watch.stop()
})

test('a watch that describes its events goes on after a capture, and is not in the clone', async (t) => {
  const sandbox = await open(t)
  await sandbox.files.makeDir('watched')
  const seen = []
  const watch = await sandbox.files.watchDir('watched', (event) => void seen.push(event), {
    includeEntry: true,
    timeoutMs: 0,
  })
  const snapshot = await capture(t, sandbox)
  const clone = await open(t, snapshot.snapshotId)
  await clone.files.write('watched/of-the-clone', 'x')
  await sandbox.files.write('watched/of-the-source', 'content')
  await eventually('the events', async () => seen.length, (n) => n >= 3)
  await sleep(300)
  assert.deepEqual(seen.map(({ type, name }) => `${type} ${name}`), [
    'create of-the-source',
    'chmod of-the-source',
    'write of-the-source',
  ])
  assert.equal(seen.at(-1).entry.size, 7)
  assert.equal(seen.at(-1).entry.path, '/home/user/watched/of-the-source')
  await watch.stop()
})

test('a watch and a terminal say so when their sandbox is killed', async (t) => {
  const sandbox = await open(t)
  let watchEnd
  await sandbox.files.watchDir('/home/user', () => {}, {
    timeoutMs: 0,
    onExit: (failure) => (watchEnd = failure),
  })
  const terminal = await sandbox.pty.create({ cols: 80, rows: 24, timeoutMs: 0, onData: () => {} })
  await Sandbox.kill(sandbox.sandboxId)
  await assert.rejects(within(15_000, 'the terminal ends', terminal.wait()), { name: 'TimeoutError' })
  await eventually('the watch ends', async () => watchEnd, (end) => end !== undefined)
  assert.equal(watchEnd.name, 'TimeoutError')
})
