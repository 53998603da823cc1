import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  AuthenticationError,
  CommandExitError,
  FileNotFoundError,
  FileType,
  InvalidArgumentError,
  Sandbox,
  SandboxError,
  SandboxNotFoundError,
  TimeoutError,
} from 'e2b'
import { eventually, everything, newName, nextTick, numbers, open, sleep, startCounter, ticks } from './js/stage.mjs'

const unknown = 'i0000000000000000none'

test('R88 R89 create from base answers at once, with an ID, a token and its own envd', async (t) => {
  const sandbox = await open(t)
  assert.match(sandbox.sandboxId, /^i[a-z0-9]{20}$/)
  assert.ok(sandbox.envdAccessToken, 'the sandbox is secured')
  assert.equal(await sandbox.isRunning(), true)
})

test('a command gives output, error output and exit code', async (t) => {
  const sandbox = await open(t)
  const result = await sandbox.commands.run('echo out; echo err >&2')
  assert.deepEqual(
    { exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr },
    { exitCode: 0, stdout: 'out\n', stderr: 'err\n' },
  )
})

test('a failing command is a CommandExitError with all it said', async (t) => {
  const sandbox = await open(t)
  await assert.rejects(sandbox.commands.run('echo before; echo why >&2; exit 7'), (failure) => {
    assert.ok(failure instanceof CommandExitError)
    assert.equal(failure.exitCode, 7)
    assert.equal(failure.stdout, 'before\n')
    assert.equal(failure.stderr, 'why\n')
    return true
  })
})

test('commands run as the user in its home, with envs, cwd and another user on request', async (t) => {
  const sandbox = await open(t, 'base', { envs: { OF_SANDBOX: 's', OVERRIDDEN: 'sandbox' } })
  const print = 'echo "$(whoami) $PWD $HOME $OF_SANDBOX $OVERRIDDEN"'
  assert.equal(
    (await sandbox.commands.run(print)).stdout,
    'user /home/user /home/user s sandbox\n',
  )
  const other = { user: 'root', cwd: '/tmp', envs: { OVERRIDDEN: 'command' } }
  assert.equal((await sandbox.commands.run(print, other)).stdout, 'root /tmp /root s command\n')
  assert.equal((await sandbox.commands.run('sudo -n id -u')).stdout, '0\n')
})

test('a working directory that is not there is the caller’s mistake', async (t) => {
  const sandbox = await open(t)
  await assert.rejects(sandbox.commands.run('true', { cwd: '/not/there' }), InvalidArgumentError)
})

test('a command past its time is killed and says so', async (t) => {
  const sandbox = await open(t)
  await assert.rejects(sandbox.commands.run('exec sleep 333', { timeoutMs: 1500 }), TimeoutError)
  await eventually(
    'the process is gone',
    async () => (await sandbox.commands.run('pgrep -fc "sleep [3]33" || true')).stdout.trim(),
    (left) => left === '0',
  )
})

test('a background process counts in memory and in a file, is listed, attached to and killed', async (t) => {
  const sandbox = await open(t)
  const pid = await startCounter(sandbox)
  const listed = (await sandbox.commands.list()).find((process) => process.pid === pid)
  assert.ok(listed, 'the process is listed')
  assert.ok([listed.cmd, ...listed.args].join(' ').includes('counter.py'))

  const handle = await sandbox.commands.connect(pid, { timeoutMs: 0 })
  handle.wait().catch(() => {})
  const heard = await eventually('five numbers after attaching', async () => numbers(handle), (n) => n.length >= 5)
  assert.deepEqual(heard, heard.map((_, index) => heard[0] + index))
  await nextTick(sandbox, heard.at(-1))

  assert.equal(await sandbox.commands.kill(pid), true)
  await eventually(
    'the killed process is no longer listed',
    async () => (await sandbox.commands.list()).map((process) => process.pid),
    (pids) => !pids.includes(pid),
  )
  assert.equal(await sandbox.commands.kill(pid), false)
  const seen = (await ticks(sandbox)).length
  await sleep(300)
  assert.equal((await ticks(sandbox)).length, seen, 'a killed counter counts no more')
})

test('a process outlives the client that started it', async (t) => {
  const sandbox = await open(t)
  const handle = await sandbox.commands.run('exec sleep 300', { background: true, timeoutMs: 0 })
  await handle.disconnect()
  await sleep(300)
  const again = await Sandbox.connect(sandbox.sandboxId)
  assert.ok((await again.commands.list()).some((process) => process.pid === handle.pid))
})

test('R123 a text file is written and read back, owned by the user, its directories made', async (t) => {
  const sandbox = await open(t)
  const text = 'Grüße, 世界\nsecond line\n'
  const written = await sandbox.files.write('/home/user/made/on/the/way/text.txt', text)
  assert.equal(written.path, '/home/user/made/on/the/way/text.txt')
  assert.equal(written.name, 'text.txt')
  assert.equal(await sandbox.files.read('made/on/the/way/text.txt'), text)
  const { stdout } = await sandbox.commands.run('stat -c "%U %a" made made/on/the/way/text.txt')
  assert.equal(stdout, 'user 755\nuser 644\n')
})

test('bytes are written and read back as they are, at every interesting length', async (t) => {
  const sandbox = await open(t)
  for (const length of [0, 1, 32_767, 32_768, 65_537, 5_000_000]) {
    const bytes = randomBytes(length)
    await sandbox.files.write('/home/user/bytes', new Blob([bytes]))
    const back = await sandbox.files.read('/home/user/bytes', { format: 'bytes' })
    assert.equal(sha256(back), sha256(bytes), `${length} bytes`)
    if (length > 0) {
      const { stdout } = await sandbox.commands.run('sha256sum < /home/user/bytes')
      assert.equal(stdout.split(' ')[0], sha256(bytes), `${length} bytes, seen from inside`)
    }
  }
})

test('several files go in one call, and a stream in another', async (t) => {
  const sandbox = await open(t)
  const written = await sandbox.files.writeFiles([
    { path: '/home/user/one', data: 'first' },
    { path: '/home/user/deep/two', data: new TextEncoder().encode('second').buffer },
  ])
  assert.deepEqual(written.map((file) => file.path), ['/home/user/one', '/home/user/deep/two'])
  assert.equal(await sandbox.files.read('/home/user/one'), 'first')
  assert.equal(await sandbox.files.read('/home/user/deep/two'), 'second')

  const bytes = randomBytes(300_000)
  await sandbox.files.write('/home/user/streamed', new Blob([bytes]).stream(), { gzip: true })
  const back = await sandbox.files.read('/home/user/streamed', { format: 'bytes' })
  assert.equal(sha256(back), sha256(bytes))
})

test('files are looked at, listed, renamed, removed', async (t) => {
  const { files } = await open(t)
  assert.equal(await files.makeDir('/home/user/box/inner'), true)
  assert.equal(await files.makeDir('/home/user/box/inner'), false)
  await files.write('/home/user/box/b.txt', 'twelve bytes')

  const entry = await files.getInfo('/home/user/box/b.txt')
  assert.equal(entry.type, FileType.FILE)
  assert.equal(Number(entry.size), 12)
  assert.equal(entry.mode, 0o644)
  assert.equal(entry.permissions, '-rw-r--r--')
  assert.equal(entry.owner, 'user')
  assert.ok(Math.abs(entry.modifiedTime.getTime() - Date.now()) < 60_000)

  const listed = await files.list('/home/user/box')
  assert.deepEqual(listed.map((e) => [e.name, e.type]), [['b.txt', 'file'], ['inner', 'dir']])

  const moved = await files.rename('/home/user/box/b.txt', '/home/user/box/inner/c.txt')
  assert.equal(moved.path, '/home/user/box/inner/c.txt')
  assert.equal(await files.exists('/home/user/box/b.txt'), false)
  assert.equal(await files.exists('/home/user/box/inner/c.txt'), true)
  const deep = await files.list('/home/user/box', { depth: 2 })
  assert.deepEqual(deep.map((e) => e.path), ['/home/user/box/inner', '/home/user/box/inner/c.txt'])

  await files.remove('/home/user/box')
  assert.equal(await files.exists('/home/user/box'), false)
})

test('a file that is not there is a FileNotFoundError', async (t) => {
  const { files } = await open(t)
  await assert.rejects(files.read('/home/user/none'), FileNotFoundError)
  await assert.rejects(files.getInfo('/home/user/none'), FileNotFoundError)
  await assert.rejects(files.list('/home/user/none'), FileNotFoundError)
})

test('info and list say what was asked for', async (t) => {
  const mark = newName('mark')
  const sandbox = await open(t, 'base', { metadata: { mark, 'odd key': 'a&b=c% d' }, timeoutMs: 120_000 })
  const info = await sandbox.getInfo()
  assert.equal(info.sandboxId, sandbox.sandboxId)
  assert.equal(info.state, 'running')
  assert.deepEqual(info.metadata, { mark, 'odd key': 'a&b=c% d' })
  assert.ok(info.cpuCount > 0 && info.memoryMB > 0)
  assert.equal(info.endAt - info.startedAt, 120_000)

  for (const metadata of [{ mark }, { mark, 'odd key': 'a&b=c% d' }]) {
    const found = await everything(Sandbox.list({ query: { metadata } }))
    assert.deepEqual(found.map((s) => s.sandboxId), [sandbox.sandboxId])
  }
  assert.deepEqual(await everything(Sandbox.list({ query: { metadata: { mark: 'other' } } })), [])
})

test('a list of sandboxes is paged without loss', async (t) => {
  const mark = newName('page')
  const opened = []
  for (let i = 0; i < 3; i++) opened.push((await open(t, 'base', { metadata: { mark } })).sandboxId)
  const pages = Sandbox.list({ query: { metadata: { mark } }, limit: 2 })
  const first = await pages.nextItems()
  assert.equal(pages.hasNext, true)
  const second = await pages.nextItems()
  assert.equal(pages.hasNext, false)
  assert.deepEqual([...first, ...second].map((s) => s.sandboxId), opened.reverse())
})

test('connect gives the same sandbox and never shortens its life; setTimeout does', async (t) => {
  const sandbox = await open(t, 'base', { timeoutMs: 200_000 })
  const { endAt } = await sandbox.getInfo()
  const other = await Sandbox.connect(sandbox.sandboxId, { timeoutMs: 10_000 })
  assert.equal(other.envdAccessToken, sandbox.envdAccessToken)
  assert.equal((await other.commands.run('echo here')).stdout, 'here\n')
  assert.equal((await other.getInfo()).endAt.getTime(), endAt.getTime())

  await sandbox.connect({ timeoutMs: 400_000 })
  const longer = (await sandbox.getInfo()).endAt
  assert.ok(longer - endAt > 150_000)

  await sandbox.setTimeout(100_000)
  const left = (await sandbox.getInfo()).endAt - Date.now()
  assert.ok(left > 90_000 && left <= 101_000, `${left} ms are left`)
})

test('kill answers true, then false, and everything says that the sandbox is gone', async (t) => {
  const sandbox = await open(t)
  assert.equal(await sandbox.kill(), true)
  assert.equal(await sandbox.kill(), false)
  assert.equal(await sandbox.isRunning(), false)
  await assert.rejects(sandbox.getInfo(), SandboxNotFoundError)
  await assert.rejects(sandbox.setTimeout(10_000), SandboxNotFoundError)
  await assert.rejects(sandbox.createSnapshot(), SandboxNotFoundError)
  await assert.rejects(Sandbox.connect(sandbox.sandboxId), SandboxNotFoundError)
  await assert.rejects(sandbox.commands.run('true'), SandboxNotFoundError)
  const all = await everything(Sandbox.list())
  assert.ok(!all.some((s) => s.sandboxId === sandbox.sandboxId))
})

test('a command that is waited for ends clearly when its sandbox is killed', async (t) => {
  const sandbox = await open(t)
  const handle = await sandbox.commands.run('exec sleep 300', { background: true, timeoutMs: 0 })
  const outcome = assert.rejects(handle.wait(), (failure) => {
    assert.ok(failure instanceof TimeoutError, `${failure.name}: ${failure.message}`)
    assert.match(failure.message, /killed|end of life/)
    return true
  })
  await sleep(300)
  await sandbox.kill()
  await outcome
})

test('F5 a sandbox of 3 seconds is gone a second after its end at most, and not before', async (t) => {
  const asked = Date.now()
  const sandbox = await open(t, 'base', { timeoutMs: 3_000 })
  const { startedAt, endAt } = await sandbox.getInfo()
  assert.equal(endAt - startedAt, 3_000)
  // An answer may be late on a busy machine: that it still ran is known of the moment it was asked at.
  let ran = asked
  for (let now = asked; await sandbox.isRunning(); now = Date.now()) {
    ran = now
    assert.ok(ran - endAt <= 1_000, `still there ${ran - endAt} ms after its end`)
    await sleep(50)
  }
  assert.ok(Date.now() - asked >= 2_500, `gone ${Date.now() - asked} ms after the request`)
  await assert.rejects(sandbox.getInfo(), SandboxNotFoundError)
})

test('R145 R146 an unknown template is refused by name', async () => {
  const uuid = '0b8c5c0e-6f5e-4d7b-9a55-6d8f6b1c2a34'
  for (const template of ['no-such-template', uuid]) {
    await assert.rejects(Sandbox.create(template), (failure) => {
      assert.ok(failure instanceof SandboxError, failure.name)
      assert.match(failure.message, /^404: /)
      assert.ok(failure.message.includes(template), failure.message)
      return true
    })
  }
})

test('an unknown sandbox is not found, and its kill answers false', async () => {
  await assert.rejects(Sandbox.getInfo(unknown), SandboxNotFoundError)
  await assert.rejects(Sandbox.connect(unknown), SandboxNotFoundError)
  await assert.rejects(Sandbox.createSnapshot(unknown), SandboxNotFoundError)
  assert.equal(await Sandbox.kill(unknown), false)
  assert.equal(await Sandbox.kill('nonexistingsandbox'), false)
})

test('a wrong API key is an AuthenticationError everywhere', async () => {
  const opts = { apiKey: `e2b_${'0'.repeat(40)}` }
  await assert.rejects(Sandbox.create('base', opts), AuthenticationError)
  await assert.rejects(Sandbox.getInfo(unknown, opts), AuthenticationError)
  await assert.rejects(Sandbox.kill(unknown, opts), AuthenticationError)
  await assert.rejects(Sandbox.listSnapshots(opts).nextItems(), AuthenticationError)
  await assert.rejects(Sandbox.deleteSnapshot('team/name:default', opts), AuthenticationError)
})

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}
