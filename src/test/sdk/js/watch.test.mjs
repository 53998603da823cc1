import assert from 'node:assert/strict'
import { test } from 'node:test'
import './recording.mjs'
import { FileNotFoundError, FilesystemEventType, InvalidArgumentError, TimeoutError } from '../sdk.mjs'
import { capture, eventually, newName, open, shared, sleep, within } from './stage.mjs'

const box = shared()
const { CREATE, WRITE, REMOVE, RENAME, CHMOD } = FilesystemEventType

async function watched(opts = {}, sandbox = box.it) {
  const at = `/home/user/${newName('watched')}`
  await sandbox.files.makeDir(at)
  const events = []
  const handle = await sandbox.files.watchDir(at, (event) => void events.push(event), { timeoutMs: 0, ...opts })
  const sees = (type, name) =>
    eventually(
      `${type} of ${name}`,
      async () => events.map((event) => ({ type: event.type, name: event.name })),
      (seen) => seen.some((event) => event.type === type && event.name === name),
    )
  return { at, events, handle, sees }
}

test('a watch tells of files made, written, changed, renamed and removed', async () => {
  const { at, handle, sees } = await watched()
  await box.it.files.write(`${at}/new.txt`, 'x')
  await sees(CREATE, 'new.txt')
  await sees(WRITE, 'new.txt')
  await box.it.commands.run(`chmod 600 ${at}/new.txt`)
  await sees(CHMOD, 'new.txt')
  await box.it.files.rename(`${at}/new.txt`, `${at}/old.txt`)
  await sees(RENAME, 'new.txt')
  await sees(CREATE, 'old.txt')
  await box.it.files.remove(`${at}/old.txt`)
  await sees(REMOVE, 'old.txt')
  await handle.stop()
})

test('a watch sees what programs inside do, not only the API', async () => {
  const { at, handle, sees } = await watched()
  await box.it.commands.run(`cd ${at}; echo a > by-shell; echo b >> by-shell; mkdir dir; rm by-shell`)
  await sees(CREATE, 'by-shell')
  await sees(WRITE, 'by-shell')
  await sees(CREATE, 'dir')
  await sees(REMOVE, 'by-shell')
  await handle.stop()
})

test('a watch that is not recursive hears nothing of what is deeper', async () => {
  const { at, events, handle, sees } = await watched()
  await box.it.files.makeDir(`${at}/deep`)
  await sees(CREATE, 'deep')
  await box.it.files.write(`${at}/deep/file`, 'x')
  await box.it.files.write(`${at}/last`, 'x')
  await sees(CREATE, 'last')
  assert.ok(!events.some((event) => event.name.startsWith('deep/')), JSON.stringify(events))
  await handle.stop()
})

test('a recursive watch hears of directories that come later too, by relative names', async () => {
  const { at, handle, sees } = await watched({ recursive: true })
  await box.it.commands.run(`mkdir -p ${at}/a/b/c`)
  await sees(CREATE, 'a')
  // A directory that has just come is watched as soon as its coming was told.
  await eventually(
    'the deepest is watched',
    async () => {
      await box.it.files.write(`${at}/a/b/c/${newName('probe')}`, 'x')
      return sees(CREATE, 'a/b/c').catch(() => [])
    },
    () => true,
  )
  await box.it.files.write(`${at}/a/b/c/leaf.txt`, 'x')
  await sees(CREATE, 'a/b/c/leaf.txt')
  await box.it.files.remove(`${at}/a/b/c/leaf.txt`)
  await sees(REMOVE, 'a/b/c/leaf.txt')
  await handle.stop()
})

test('with entries asked for, an event carries what the file is', async () => {
  const { at, events, handle, sees } = await watched({ includeEntry: true, allowNetworkMounts: true })
  await box.it.files.write(`${at}/entry.txt`, 'twelve bytes')
  await sees(WRITE, 'entry.txt')
  const written = events.findLast((event) => event.type === WRITE && event.name === 'entry.txt')
  assert.equal(written.entry.path, `${at}/entry.txt`)
  assert.equal(written.entry.type, 'file')
  assert.equal(written.entry.owner, 'user')
  await box.it.files.remove(`${at}/entry.txt`)
  await sees(REMOVE, 'entry.txt')
  assert.equal(events.findLast((event) => event.type === REMOVE).entry, undefined)
  await handle.stop()
})

test('without entries asked for, no event carries one', async () => {
  const { at, events, handle, sees } = await watched()
  await box.it.files.write(`${at}/plain.txt`, 'x')
  await sees(WRITE, 'plain.txt')
  assert.ok(events.every((event) => event.entry === undefined))
  await handle.stop()
})

test('a stopped watch hears nothing more, and says that it ended', async () => {
  let ended
  const end = new Promise((resolve) => (ended = resolve))
  const { at, events, handle, sees } = await watched({ onExit: (failure) => ended(failure ?? 'ended') })
  await box.it.files.write(`${at}/heard`, 'x')
  await sees(CREATE, 'heard')
  await handle.stop()
  await within(10_000, 'the end of the watch', end)
  const before = events.length
  await box.it.files.write(`${at}/unheard`, 'x')
  await sleep(500)
  assert.equal(events.length, before)
})

test('only a directory that is there can be watched', async () => {
  await assert.rejects(box.it.files.watchDir('/home/user/none', () => {}), FileNotFoundError)
  await box.it.files.write('/home/user/a-file', 'x')
  await assert.rejects(box.it.files.watchDir('/home/user/a-file', () => {}), InvalidArgumentError)
})

test('a watch past its time ends with a TimeoutError', async () => {
  let ended
  const end = new Promise((resolve) => (ended = resolve))
  await watched({ timeoutMs: 1_500, onExit: (failure) => ended(failure) })
  assert.ok((await within(15_000, 'the end of the watch', end)) instanceof TimeoutError)
})

test('a thousand files made at once are all told, once each', async () => {
  const { at, events, handle } = await watched()
  await box.it.commands.run(`cd ${at} && for i in $(seq 1000); do : > f$i; done`)
  await eventually('all are told', async () => new Set(names()).size, (count) => count === 1_000, 30_000)
  assert.equal(names().length, 1_000, 'none twice')
  await handle.stop()

  function names() {
    return events.filter((event) => event.type === CREATE).map((event) => event.name)
  }
})

test('R102 a watch goes through a capture without losing an event', async (t) => {
  const sandbox = await open(t)
  const { at, events, handle, sees } = await watched({}, sandbox)
  const writing = sandbox.commands.run(`cd ${at}; for i in $(seq 100); do : > f$i; sleep 0.02; done`)
  await sees(CREATE, 'f3')
  await capture(t, sandbox)
  await writing
  await sees(CREATE, 'f100')
  const made = events.filter((event) => event.type === CREATE).map((event) => event.name)
  assert.deepEqual(made, Array.from({ length: 100 }, (_, i) => `f${i + 1}`))
  await handle.stop()
})

test('F5 a watch whose sandbox is killed ends with a failure', async (t) => {
  const sandbox = await open(t)
  let ended
  const end = new Promise((resolve) => (ended = resolve))
  await watched({ onExit: (failure) => ended(failure) }, sandbox)
  await sandbox.kill()
  const failure = await within(10_000, 'the end of the watch', end)
  assert.ok(failure instanceof TimeoutError, String(failure))
})
