import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import './recording.mjs'
import {
  AuthenticationError,
  CommandExitError,
  InvalidArgumentError,
  NotFoundError,
  Sandbox,
  SandboxNotFoundError,
  TimeoutError,
} from '../sdk.mjs'
import { capture, eventually, nextTick, numbers, open, shared, sleep, start, startCounter, ticks, within } from './stage.mjs'

const box = shared({ envs: { OF_SANDBOX: 'sandbox', OVERRIDDEN: 'sandbox' } })

test('R88 a command gives output, error output and exit code', async () => {
  const result = await box.it.commands.run('echo out; echo err >&2')
  assert.equal(result.exitCode, 0)
  assert.equal(result.stdout, 'out\n')
  assert.equal(result.stderr, 'err\n')
  assert.equal(result.error, undefined)
})

test('a command that fails is a CommandExitError with everything it said', async () => {
  await assert.rejects(box.it.commands.run('echo before; echo why >&2; exit 7'), (failure) => {
    assert.ok(failure instanceof CommandExitError, failure.name)
    assert.equal(failure.exitCode, 7)
    assert.equal(failure.stdout, 'before\n')
    assert.equal(failure.stderr, 'why\n')
    assert.equal(failure.error, 'exit status 7')
    return true
  })
})

test('a command killed by a signal of its own says so', async () => {
  await assert.rejects(box.it.commands.run('kill -TERM $$'), (failure) => {
    assert.ok(failure instanceof CommandExitError, failure.name)
    assert.equal(failure.exitCode, -1)
    assert.equal(failure.error, 'signal: terminated')
    return true
  })
})

test('the environment is of the user, then the sandbox, then the command', async () => {
  const { stdout } = await box.it.commands.run('echo "$USER $LOGNAME $HOME $OF_SANDBOX $OVERRIDDEN $ONLY_HERE"', {
    envs: { OVERRIDDEN: 'command', ONLY_HERE: 'a "quoted" $value' },
  })
  assert.equal(stdout, 'user user /home/user sandbox command a "quoted" $value\n')
  const next = await box.it.commands.run('echo "$OVERRIDDEN${ONLY_HERE-unset}"')
  assert.equal(next.stdout, 'sandboxunset\n', 'one command’s environment is not the next one’s')
})

test('a command runs in its working directory: home, absolute, relative to home, ~', async () => {
  await box.it.files.makeDir('/home/user/work/inner')
  for (const [cwd, wanted] of [
    [undefined, '/home/user'],
    ['/tmp', '/tmp'],
    ['work/inner', '/home/user/work/inner'],
    ['~/work', '/home/user/work'],
    ['/tmp/../var', '/var'],
  ]) {
    assert.equal((await box.it.commands.run('pwd', { cwd })).stdout, `${wanted}\n`, String(cwd))
  }
  await assert.rejects(box.it.commands.run('true', { cwd: '/not/there' }), InvalidArgumentError)
})

test('a command runs as the user that is named, and an unknown one is refused', async () => {
  assert.equal((await box.it.commands.run('whoami; echo $HOME', { user: 'root' })).stdout, 'root\n/root\n')
  assert.equal((await box.it.commands.run('sudo -n id -u')).stdout, '0\n')
  const print = 'echo "$(whoami) $PWD $HOME $OF_SANDBOX $OVERRIDDEN"'
  assert.equal((await box.it.commands.run(print)).stdout, 'user /home/user /home/user sandbox sandbox\n')
  const other = { user: 'root', cwd: '/tmp', envs: { OVERRIDDEN: 'command' } }
  assert.equal((await box.it.commands.run(print, other)).stdout, 'root /tmp /root sandbox command\n')
  await assert.rejects(box.it.commands.run('true', { user: 'nobody-here' }), AuthenticationError)
})

test('a command past its time is killed and a TimeoutError', async () => {
  await assert.rejects(box.it.commands.run('exec sleep 4242', { timeoutMs: 1_000 }), TimeoutError)
  await eventually(
    'the process is gone',
    async () => (await box.it.commands.run('pgrep -fc "sleep [4]242" || true')).stdout.trim(),
    (left) => left === '0',
  )
})

test('a command without a limit outlives the default of a request', async () => {
  const { stdout } = await box.it.commands.run('sleep 3; echo late', { timeoutMs: 0, requestTimeoutMs: 1_000 })
  assert.equal(stdout, 'late\n')
})

test('output comes to the callbacks as it is made, each part once', async () => {
  const heard = []
  const result = await box.it.commands.run('for i in 1 2 3; do echo $i; echo e$i >&2; sleep 0.3; done', {
    onStdout: (text) => void heard.push(['out', text, Date.now()]),
    onStderr: (text) => void heard.push(['err', text, Date.now()]),
  })
  assert.equal(heard.filter(([kind]) => kind === 'out').map(([, text]) => text).join(''), result.stdout)
  assert.equal(heard.filter(([kind]) => kind === 'err').map(([, text]) => text).join(''), 'e1\ne2\ne3\n')
  assert.ok(heard.at(-1)[2] - heard[0][2] > 400, 'not all at the end')
})

test('a background command is listed with its command line, attached to and killed', async () => {
  const handle = await box.it.commands.run('exec sleep 300', { background: true, timeoutMs: 0, cwd: '/tmp', envs: { A: '1' } })
  assert.ok(Number.isInteger(handle.pid) && handle.pid > 0)
  assert.equal(handle.exitCode, undefined)
  assert.equal(handle.error, undefined)
  const listed = (await box.it.commands.list()).find((process) => process.pid === handle.pid)
  assert.equal(listed.cmd, '/bin/bash')
  assert.deepEqual(listed.args, ['-l', '-c', 'exec sleep 300'])
  assert.equal(listed.cwd, '/tmp')
  assert.deepEqual(listed.envs, { A: '1' })

  const attached = await box.it.commands.connect(handle.pid, { timeoutMs: 0 })
  assert.equal(attached.pid, handle.pid)
  assert.equal(await handle.kill(), true)
  for (const one of [handle, attached]) {
    await assert.rejects(within(10_000, 'the end', one.wait()), (failure) => {
      assert.ok(failure instanceof CommandExitError, failure.name)
      assert.equal(failure.exitCode, -1)
      assert.equal(failure.error, 'signal: killed')
      return true
    })
    assert.equal(one.exitCode, -1)
    assert.equal(one.error, 'signal: killed')
  }
  assert.ok(!(await box.it.commands.list()).some((process) => process.pid === handle.pid))
  assert.equal(await handle.kill(), false)
  assert.equal(await box.it.commands.kill(handle.pid), false)
})

test('a process that ended can be attached to for a while and tells how it ended', async () => {
  const handle = await start(box.it, 'bash -c "exit 5"')
  await assert.rejects(handle.wait(), CommandExitError)
  const late = await box.it.commands.connect(handle.pid)
  await assert.rejects(within(10_000, 'the end', late.wait()), (failure) => failure.exitCode === 5)
})

test('a pid that never was is a NotFoundError, and its kill answers false', async () => {
  await assert.rejects(box.it.commands.connect(999_999), NotFoundError)
  await assert.rejects(box.it.commands.sendStdin(999_999, 'x'), NotFoundError)
  await assert.rejects(box.it.commands.closeStdin(999_999), NotFoundError)
  assert.equal(await box.it.commands.kill(999_999), false)
})

test('input goes in by the handle and by the pid, and its end is seen', async () => {
  assert.equal(box.it.commands.supportsStdinClose, true)
  const echo = await start(box.it, 'cat', { stdin: true })
  await echo.sendStdin('first\n')
  await box.it.commands.sendStdin(echo.pid, new TextEncoder().encode('zweite ä\n'))
  await eventually('the echo', async () => echo.stdout, (text) => text === 'first\nzweite ä\n')
  assert.equal(echo.stderr, '')
  await echo.closeStdin()
  assert.equal((await within(10_000, 'the end', echo.wait())).stdout, 'first\nzweite ä\n')

  const bytes = randomBytes(1 << 20)
  const hash = await start(box.it, 'sha256sum', { stdin: true })
  for (let at = 0; at < bytes.length; at += 1 << 18) await hash.sendStdin(bytes.subarray(at, at + (1 << 18)))
  await box.it.commands.closeStdin(hash.pid)
  const { stdout } = await within(30_000, 'the hash', hash.wait())
  assert.equal(stdout.split(' ')[0], createHash('sha256').update(bytes).digest('hex'))
})

test('a command without input reads the end at once, and nothing can be sent to it', async () => {
  const { stdout } = await within(10_000, 'cat', box.it.commands.run('cat; echo end'))
  assert.equal(stdout, 'end\n')
  const deaf = await start(box.it, 'sleep 60')
  await assert.rejects(deaf.sendStdin('x'))
  await deaf.kill()
  await deaf.wait().catch(() => {})
})

test('a background process counts in memory and in a file, is listed, attached to and killed', async () => {
  const pid = await startCounter(box.it)
  const listed = (await box.it.commands.list()).find((process) => process.pid === pid)
  assert.ok(listed, 'the process is listed')
  assert.ok([listed.cmd, ...listed.args].join(' ').includes('counter.py'))

  const handle = await box.it.commands.connect(pid, { timeoutMs: 0 })
  handle.wait().catch(() => {})
  const heard = await eventually('five numbers after attaching', async () => numbers(handle), (n) => n.length >= 5)
  assert.deepEqual(heard, heard.map((_, index) => heard[0] + index))
  await nextTick(box.it, heard.at(-1))

  assert.equal(await box.it.commands.kill(pid), true)
  await eventually(
    'the killed process is no longer listed',
    async () => (await box.it.commands.list()).map((process) => process.pid),
    (pids) => !pids.includes(pid),
  )
  assert.equal(await box.it.commands.kill(pid), false)
  const seen = (await ticks(box.it)).length
  await sleep(300)
  assert.equal((await ticks(box.it)).length, seen, 'a killed counter counts no more')
})

test('a handle that was disconnected hears nothing more, and its process goes on', async () => {
  const handle = await start(box.it, 'bash -c "while :; do date +%N; sleep 0.05; done"')
  await eventually('it speaks', async () => handle.stdout.length, (length) => length > 20)
  await handle.disconnect()
  const heard = handle.stdout
  await sleep(300)
  assert.equal(handle.stdout, heard)
  const again = await Sandbox.connect(box.it.sandboxId)
  for (const one of [box.it, again]) assert.ok((await one.commands.list()).some((process) => process.pid === handle.pid))
  assert.equal(await box.it.commands.kill(handle.pid), true)
})

test('ten megabytes of text, and bytes that are no text, come out as they are', async () => {
  await box.it.commands.run('head -c 7864320 /dev/urandom | base64 -w0 > big')
  const wanted = (await box.it.commands.run('sha256sum < big')).stdout.split(' ')[0]
  const { stdout } = await box.it.commands.run('cat big')
  assert.equal(stdout.length, 10_485_760)
  assert.equal(createHash('sha256').update(stdout).digest('hex'), wanted)

  const cut = await box.it.commands.run(`printf '\\xe2\\x82'; sleep 0.2; printf '\\xac\\xff|'`)
  assert.equal(cut.stdout, '€\ufffd|', 'a character cut in two is one, a wrong byte is a replacement')
})

test('thirty commands at once each get their own output', async () => {
  const results = await Promise.all(
    Array.from({ length: 30 }, (_, i) => box.it.commands.run(`seq ${i} ${i + 500}; echo err ${i} >&2`)),
  )
  results.forEach((result, i) => {
    const wanted = Array.from({ length: 501 }, (_, index) => `${i + index}\n`).join('')
    assert.equal(result.stdout, wanted, `the output of command ${i}`)
    assert.equal(result.stderr, `err ${i}\n`)
  })
})

test('R102 a running command goes through a capture without loss or repetition', async (t) => {
  const sandbox = await open(t)
  const handle = await start(sandbox, `python3 -u -c 'import time\nfor i in range(1, 301):\n  print(i)\n  time.sleep(0.01)'`)
  await eventually('lines come', async () => numbers(handle).length, (n) => n > 10)
  await capture(t, sandbox)
  const result = await within(30_000, 'the end', handle.wait())
  assert.deepEqual(result.stdout.split('\n').slice(0, -1).map(Number), Array.from({ length: 300 }, (_, i) => i + 1))
})

test('F5 a command whose sandbox is killed ends as a TimeoutError that says so', async (t) => {
  const sandbox = await open(t)
  const handle = await start(sandbox, 'sleep 300')
  const outcome = assert.rejects(within(10_000, 'the end', handle.wait()), (failure) => {
    assert.ok(failure instanceof TimeoutError, `${failure.name}: ${failure.message}`)
    assert.match(failure.message, /killed|end of life/)
    return true
  })
  assert.equal(await sandbox.kill(), true)
  await outcome
  await assert.rejects(sandbox.commands.run('true'), (failure) => {
    assert.ok(failure instanceof SandboxNotFoundError || failure instanceof TimeoutError, failure.name)
    return true
  })
})

test('R165 a command whose sandbox is paused ends as a TimeoutError and goes on after the resume', async (t) => {
  const sandbox = await open(t)
  const handle = await start(sandbox, 'bash -c "exec sleep 300"')
  const outcome = assert.rejects(within(60_000, 'the end', handle.wait()), TimeoutError)
  assert.equal(await sandbox.pause(), true)
  await outcome
  await Sandbox.connect(sandbox.sandboxId)
  const again = await sandbox.commands.connect(handle.pid, { timeoutMs: 0 })
  assert.equal(await again.kill(), true)
  await again.wait().catch(() => {})
})
