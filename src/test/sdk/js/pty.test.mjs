import assert from 'node:assert/strict'
import { test } from 'node:test'
import './recording.mjs'
import { CommandExitError, InvalidArgumentError, NotFoundError, TimeoutError } from '../sdk.mjs'
import { capture, eventually, open, shared, sleep, within } from './stage.mjs'

const box = shared({ envs: { OF_SANDBOX: 'sandbox' } })
const encoder = new TextEncoder()

// A terminal that is read as a person reads it: by what has come so far.
class Terminal {
  shown = ''
  #decoder = new TextDecoder()

  static async open(sandbox, opts = {}) {
    const terminal = new Terminal()
    terminal.sandbox = sandbox
    terminal.handle = await sandbox.pty.create({
      cols: 80,
      rows: 24,
      timeoutMs: 0,
      envs: { PS1: '> ' },
      ...opts,
      onData: (data) => terminal.hear(data),
    })
    terminal.handle.wait().catch(() => {})
    return terminal
  }

  hear(data) {
    this.shown += this.#decoder.decode(data, { stream: true })
  }

  type(text) {
    return this.sandbox.pty.sendInput(this.handle.pid, encoder.encode(text))
  }

  // Only what comes after the typing counts, and the typed line itself is shown too: hence the sums.
  async answer(line, pattern) {
    const from = this.shown.length
    await this.type(`${line}\n`)
    return this.shows(pattern, from)
  }

  async shows(pattern, from = 0) {
    const text = await eventually(
      `the terminal shows ${pattern}`,
      async () => this.shown.slice(from),
      (shown) => pattern.test(shown),
    )
    return pattern.exec(text)
  }
}

test('a PTY is a terminal of the size asked for, with a name and an echo', async () => {
  const terminal = await Terminal.open(box.it, { cols: 101, rows: 37 })
  assert.ok(await terminal.answer('echo $((40+2)) && tput cols && tput lines', /echo \$\(\(40[^]*42\r\n101\r\n37\r\n/))
  assert.ok(await terminal.answer('test -t 0 && test -t 1 && echo is$((1))tty "$TERM" "$LANG"', /is1tty xterm-256color C\.UTF-8/))
  assert.ok(await terminal.answer('echo "$OF_SANDBOX $(whoami) $PWD" end$((1))', /sandbox user \/home\/user end1/))
  assert.equal(await box.it.pty.kill(terminal.handle.pid), true)
})

test('a resize reaches the shell and a running program', async () => {
  const terminal = await Terminal.open(box.it)
  await terminal.answer('echo re$((1))ady', /re1ady/)
  await terminal.type(`python3 -c "import os,signal,time\nsignal.signal(signal.SIGWINCH, lambda *a: print('size', *os.get_terminal_size(0), flush=True))\nprint('wa'+'iting', flush=True)\nfor _ in range(600): time.sleep(0.1)"\n`)
  await terminal.shows(/waiting/)
  await box.it.pty.resize(terminal.handle.pid, { cols: 132, rows: 50 })
  await terminal.shows(/size 132 50/)
  await terminal.type('\x03')
  await terminal.answer('tput cols', /132\r\n/)
  await terminal.handle.kill()
})

test('job control: stop, background, foreground, interrupt', async () => {
  const terminal = await Terminal.open(box.it)
  await terminal.answer('echo re$((1))ady', /re1ady/)
  await terminal.type('sleep 600\n')
  await eventually(
    'it sleeps',
    async () => (await box.it.commands.run('pgrep -fc "^sleep [6]00" || true')).stdout.trim(),
    (count) => count !== '0',
  )
  const from = terminal.shown.length
  await terminal.type('\x1a')
  await terminal.shows(/Stopped/, from)
  assert.ok(await terminal.answer('jobs -l', /Stopped[^]*sleep 600/))
  await terminal.answer('bg; echo in$((1))bg', /in1bg/)
  assert.ok(await terminal.answer('jobs', /Running[^]*sleep 600/))
  const before = terminal.shown.length
  await terminal.type('fg\n')
  await terminal.shows(/fg\r\n[^]*sleep 600\r\n/, before)
  // The shell says what it brings to the front before it lets go of the terminal.
  await sleep(300)
  await terminal.type('\x03')
  assert.ok(await terminal.answer('echo "code $?"; jobs; echo no$((1))jobs', /code 130\r\n[^]*no1jobs/))
  await terminal.handle.kill()
})

test('a full-screen program draws and is left again', async () => {
  const terminal = await Terminal.open(box.it)
  await terminal.answer('seq 200 > many && echo re$((1))ady', /re1ady/)
  const from = terminal.shown.length
  await terminal.type(`python3 -c "import curses; curses.wrapper(lambda s: (s.addstr(5, 10, 'full '+'screen'), s.refresh(), s.getch()))"\n`)
  await terminal.shows(/full screen/, from)
  assert.match(terminal.shown.slice(from), /\x1b\[\?1049h/, 'the other screen')
  await terminal.type('q')
  await terminal.shows(/\x1b\[\?1049l/, from)
  await terminal.handle.kill()
})

test('another client attaches to a PTY, and both hear it', async () => {
  const terminal = await Terminal.open(box.it)
  await terminal.answer('echo re$((1))ady', /re1ady/)
  const second = new Terminal()
  second.sandbox = box.it
  second.handle = await box.it.pty.connect(terminal.handle.pid, { timeoutMs: 0, onData: (data) => second.hear(data) })
  second.handle.wait().catch(() => {})
  assert.equal(second.handle.pid, terminal.handle.pid)
  await second.answer('echo both$((1))hear', /both1hear/)
  await terminal.shows(/both1hear/)
  await terminal.handle.disconnect()
  await second.answer('echo still$((1))there', /still1there/)
  assert.equal(await box.it.pty.kill(second.handle.pid), true)
})

test('the end of the shell is the end of the PTY, with its code', async () => {
  const terminal = await Terminal.open(box.it)
  const end = assert.rejects(within(15_000, 'the end', terminal.handle.wait()), (failure) => {
    assert.ok(failure instanceof CommandExitError, failure.name)
    assert.equal(failure.exitCode, 3)
    return true
  })
  await terminal.type('exit 3\n')
  await end
  assert.equal(terminal.handle.exitCode, 3)
})

test('a PTY is listed, killed once, and unknown afterwards', async () => {
  const terminal = await Terminal.open(box.it, { user: 'root', cwd: '/tmp' })
  await terminal.answer('echo "$(whoami) $PWD" as$((1))asked', /root \/tmp as1asked/)
  const { pid } = terminal.handle
  assert.ok((await box.it.commands.list()).some((process) => process.pid === pid))
  assert.equal(await box.it.pty.kill(pid), true)
  await eventually('it is gone', () => box.it.commands.list(), (list) => !list.some((process) => process.pid === pid))
  assert.equal(await box.it.pty.kill(pid), false)
  await assert.rejects(box.it.pty.sendInput(999_999, encoder.encode('x')), NotFoundError)
  await assert.rejects(box.it.pty.resize(999_999, { cols: 1, rows: 1 }), NotFoundError)
  await assert.rejects(box.it.pty.connect(999_999, { onData: () => {} }), NotFoundError)
})

test('a PTY in a directory that is not there is the caller’s mistake', async () => {
  await assert.rejects(box.it.pty.create({ cols: 80, rows: 24, cwd: '/not/there', onData: () => {} }), InvalidArgumentError)
})

test('a PTY past its time ends as a TimeoutError', async () => {
  const handle = await box.it.pty.create({ cols: 80, rows: 24, timeoutMs: 1_500, onData: () => {} })
  await assert.rejects(within(15_000, 'the end', handle.wait()), TimeoutError)
})

test('R102 a PTY goes through a capture without the client noticing', async (t) => {
  const sandbox = await open(t)
  const terminal = await Terminal.open(sandbox)
  await terminal.answer('echo be$((1))fore; X=kept', /be1fore/)
  await capture(t, sandbox)
  await terminal.answer('echo af$((1))ter $X', /af1ter kept/)
  await terminal.handle.kill()
})
