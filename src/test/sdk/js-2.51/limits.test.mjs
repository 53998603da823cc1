import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandExitError, NotEnoughSpaceError, SandboxNotFoundError } from 'e2b'
import { eventually, open, openAll, sleep, start, within } from './js/stage.mjs'

async function worksFor(sandbox, moments) {
  for (let i = 0; i < moments; i++) {
    const { stdout } = await within(15_000, 'the neighbour’s command', sandbox.commands.run(`echo ${i}`))
    assert.equal(stdout, `${i}\n`)
    await sleep(500)
  }
}

test('a fork bomb stays in its sandbox, which can still be looked into or has ended clearly', async (t) => {
  const [bomb, neighbour] = await openAll(t, 2)
  const handle = await bomb.commands.run('bomb() { bomb | bomb & }; bomb; sleep 300', { background: true, timeoutMs: 0 })
  handle.wait().catch(() => {})
  await sleep(1_000)
  await worksFor(neighbour, 6)

  if (await within(20_000, 'an answer about health', bomb.isRunning())) {
    const { stdout } = await within(
      60_000,
      'a command of root in the bombed sandbox',
      bomb.commands.run('ls -d /proc/[0-9]* | wc -l', { user: 'root' }),
    )
    assert.ok(Number(stdout) < 4_000, `${stdout.trim()} processes`)
  } else {
    await assert.rejects(bomb.getInfo(), SandboxNotFoundError)
  }
  await within(20_000, 'the kill', bomb.kill())
  await worksFor(neighbour, 2)
})

test('the user cannot make more processes than it may, and hears so', async (t) => {
  const sandbox = await open(t)
  const { stdout } = await sandbox.commands.run(
    `python3 -c "
import os, signal
made, why = [], None
try:
    while len(made) < 20000:
        made.append(os.posix_spawn('/bin/sleep', ['sleep', '300'], os.environ))
except OSError as failure:
    why = failure
for pid in made:
    os.kill(pid, signal.SIGKILL)
print(type(why).__name__)"`,
    { timeoutMs: 240_000 },
  )
  assert.equal(stdout, 'BlockingIOError\n')
  assert.equal((await sandbox.commands.run('echo lives')).stdout, 'lives\n')
})

test('a memory hog ends its sandbox within seconds, with a clear word, and no other', async (t) => {
  const [hog, neighbour] = await openAll(t, 2)
  const { memoryMB } = await hog.getInfo()
  const handle = await start(
    hog,
    `python3 -u -c "
held = []
for i in range(${memoryMB} + 4096):
    held.append(bytearray(b'x') * (1 << 20))
    if i % 64 == 0: print(i, flush=True)
import time; time.sleep(600)"`,
  )
  const ended = handle.wait().then(
    (result) => result,
    (failure) => failure,
  )
  const working = worksFor(neighbour, 4)
  working.catch(() => {})
  await eventually(
    'it takes nearly all the memory, or is gone',
    async () => ({ last: Number(handle.stdout.trim().split('\n').at(-1)), running: await hog.isRunning() }),
    ({ last, running }) => !running || last > memoryMB / 2,
    120_000,
  )
  const failure = await within(60_000, 'the waiting command ends', ended)
  assert.ok(failure instanceof Error, `it must not end well: ${JSON.stringify(failure)}`)
  // The kernel may take the process first; then the command ends a moment before its sandbox does.
  if (!(failure instanceof CommandExitError)) assert.match(failure.message, /killed|end of life|memory/i)
  await eventually('the sandbox is gone', () => within(10_000, 'health', hog.isRunning()), (running) => !running, 10_000)
  await assert.rejects(within(10_000, 'info', hog.getInfo()), SandboxNotFoundError)
  await assert.rejects(within(10_000, 'a command', hog.commands.run('true')), SandboxNotFoundError)
  assert.equal(await hog.kill(), false)
  await working
})

test('a disk filler hears that there is no space; its sandbox lives, and so does the next', async (t) => {
  const [filler, neighbour] = await openAll(t, 2)
  const filling = filler.commands.run('dd if=/dev/zero of=/home/user/fill bs=4M', { timeoutMs: 280_000 })
  const outcome = assert.rejects(filling, (failure) => {
    assert.ok(failure instanceof CommandExitError, `${failure.name}: ${failure.message}`)
    assert.match(failure.stderr, /No space left on device/)
    return true
  })
  await worksFor(neighbour, 4)
  await outcome
  assert.equal((await filler.commands.run('echo lives')).stdout, 'lives\n')
  await assert.rejects(filler.files.write('/home/user/more', new Blob(['x'.repeat(4 << 20)])), NotEnoughSpaceError)
  await filler.commands.run('rm /home/user/fill')
  await filler.files.write('/home/user/more', 'there is space again')
  assert.equal(await filler.files.read('/home/user/more'), 'there is space again')
  await worksFor(neighbour, 1)
})

test('a temporary directory is not a way round the limits', async (t) => {
  const sandbox = await open(t)
  const { memoryMB } = await sandbox.getInfo()
  const outcome = await sandbox.commands
    .run(`dd if=/dev/zero of=/tmp/fill bs=1M count=${4 * memoryMB}`, { timeoutMs: 280_000 })
    .catch((failure) => failure)
  if (outcome instanceof CommandExitError) assert.match(outcome.stderr, /No space left on device/)
  // On the disk there may be room; in memory there is not. Either way the sandbox lives.
  assert.equal((await sandbox.commands.run('rm -f /tmp/fill; echo lives')).stdout, 'lives\n')
})
