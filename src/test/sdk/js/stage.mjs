// What every program here stands on: sandboxes and snapshots that end with their test, the programs
// that run inside, and waiting with a limit. It uses nothing of the SDK that a user could not.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, before } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Sandbox } from '../sdk.mjs'

export { sleep }

// R105: a capture may take minutes, and the SDK's own limit of 60 s says nothing about it.
export const captureLimit = { requestTimeoutMs: 280_000 }

export const address = {
  api: required('E2B_API_URL'),
  sandbox: required('E2B_SANDBOX_URL'),
}

export function required(name) {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

export function count(name, otherwise) {
  return Number(process.env[name] || otherwise)
}

// A failed test may leave a stream open, and that would keep its file from ever ending. Where nothing
// is open the process is gone before this.
after(() => {
  setTimeout(() => process.exit(process.exitCode ?? 1), 5_000).unref()
})

const stages = new WeakMap()

// One sandbox for the tests of a file that do not disturb each other; `box.it` once they run.
export function shared(opts = {}, template = 'base') {
  const box = {}
  before(async () => {
    box.it = await Sandbox.create(template, { timeoutMs: 600_000, ...opts })
  })
  after(async () => box.it && Sandbox.kill(box.it.sandboxId))
  return box
}

// Hooks of a test run in the order of their making, and a snapshot that is occupied cannot be
// deleted; so there is one hook per test: sandboxes first.
function stage(t) {
  let things = stages.get(t)
  if (!things) {
    things = { sandboxes: new Set(), snapshots: new Set() }
    stages.set(t, things)
    t.after(() => clear(things))
  }
  return things
}

async function clear({ sandboxes, snapshots }) {
  const failures = []
  await Promise.all([...sandboxes].map((id) => insist(() => Sandbox.kill(id), failures)))
  for (const id of snapshots) await insist(() => Sandbox.deleteSnapshot(id), failures)
  if (failures.length) throw new AggregateError(failures, `left behind: ${failures.join('; ')}`)
}

// A test that failed may have left a sandbox busy: its capture still has to end.
async function insist(removal, failures) {
  const end = Date.now() + 20_000
  for (;;) {
    try {
      return await removal()
    } catch (failure) {
      if (Date.now() > end) return failures.push(failure)
      await sleep(500)
    }
  }
}

export async function open(t, template = 'base', opts = {}) {
  const sandbox = await Sandbox.create(template, opts)
  stage(t).sandboxes.add(sandbox.sandboxId)
  return sandbox
}

export async function openAll(t, n, template, opts) {
  const outcomes = await Promise.allSettled(
    Array.from({ length: n }, () => open(t, template, opts)),
  )
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.deepEqual(failed.map((outcome) => String(outcome.reason)), [])
  return outcomes.map((outcome) => outcome.value)
}

export async function capture(t, sandbox, opts = {}) {
  const snapshot = await sandbox.createSnapshot({ ...captureLimit, ...opts })
  stage(t).snapshots.add(snapshot.snapshotId)
  return snapshot
}

// For a sandbox that the test knows by another way than its own create.
export function endLater(t, sandbox) {
  stage(t).sandboxes.add(sandbox.sandboxId)
  return sandbox
}

// For a snapshot that the test knows by another way than a finished capture.
export function clearLater(t, snapshotId) {
  stage(t).snapshots.add(snapshotId)
}

export function newName(word) {
  return `${word}-${randomBytes(4).toString('hex')}`
}

export async function everything(paginator) {
  const found = []
  while (paginator.hasNext) found.push(...(await paginator.nextItems()))
  return found
}

export async function snapshotIds(filter) {
  return (await everything(Sandbox.listSnapshots(filter))).map((snapshot) => snapshot.snapshotId)
}

// Reads until the reading is what is wanted, and says the last reading when it never is.
export async function eventually(what, read, wanted, limit = 15_000, pause = 100) {
  const end = Date.now() + limit
  for (;;) {
    const reading = await read()
    if (wanted(reading)) return reading
    if (Date.now() > end) {
      assert.fail(`${what}: not within ${limit} ms; the last reading was ${JSON.stringify(reading)}`)
    }
    await sleep(pause)
  }
}

// The same for an outcome that must come before a limit, so that a hang is a failure and not a wait.
export async function within(limit, what, work) {
  const late = new AbortController()
  const alarm = sleep(limit, undefined, { signal: late.signal }).then(
    () => assert.fail(`${what}: not within ${limit} ms`),
    () => {},
  )
  try {
    return await Promise.race([work, alarm])
  } finally {
    late.abort()
  }
}

export async function put(sandbox, program) {
  const text = await readFile(new URL(`./inside/${program}`, import.meta.url), 'utf8')
  const path = `/home/user/${program}`
  await sandbox.files.write(path, text)
  return path
}

// A process of our own in the background, without a lifetime of its own.
export async function start(sandbox, command, opts = {}) {
  return sandbox.commands.run(`exec ${command}`, { background: true, timeoutMs: 0, ...opts })
}

export async function startCounter(sandbox) {
  const handle = await start(sandbox, `python3 -u ${await put(sandbox, 'counter.py')}`)
  // What ends the stream when its sandbox ends is not this test's matter.
  handle.wait().catch(() => {})
  await eventually('the counter begins', () => ticks(sandbox), (seen) => seen.length > 2)
  return handle.pid
}

// The counter's file: one line a tick, its number and its moment. A number missing or there twice
// would mean that memory and file are not of the same moment.
export async function ticks(sandbox) {
  if (!(await sandbox.files.exists('/home/user/ticks'))) return []
  const text = await sandbox.files.read('/home/user/ticks')
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n').slice(0, -1)
  return lines.map((line, index) => {
    const [number, moment] = line.split(' ').map(Number)
    assert.equal(number, index + 1, `tick ${index + 1} is there, once and in its place`)
    return { number, moment }
  })
}

export async function lastTick(sandbox) {
  return (await ticks(sandbox)).at(-1).number
}

// A clone's file shows the capture: the last tick before the gap in which nobody counted.
export function capturedTick(seen, minimumGap) {
  const gaps = seen
    .slice(1)
    .map((tick, index) => ({ after: seen[index].number, length: tick.moment - seen[index].moment }))
  const widest = gaps.reduce((a, b) => (b.length > a.length ? b : a))
  assert.ok(widest.length >= minimumGap, `the widest gap is ${widest.length} s, under ${minimumGap}`)
  return widest.after
}

// What a stream of numbered lines has said so far, without a line that is still under way.
export function numbers(handle) {
  return handle.stdout.split('\n').slice(0, -1).map(Number)
}

export function nextTick(sandbox, seen) {
  return eventually('the counter goes on', () => lastTick(sandbox), (number) => number > seen)
}

// Memory that cannot be compressed or shared: it makes a capture last.
export async function fillMemory(sandbox, megabytes) {
  const handle = await start(sandbox, `python3 -u ${await put(sandbox, 'ballast.py')} ${megabytes}`)
  handle.wait().catch(() => {})
  await eventually('the ballast is there', async () => handle.stdout, (text) => text.includes('ready'), 60_000)
  return handle.pid
}

// A call past the SDK, for what the SDK hides.
export async function api(path, opts = {}) {
  return fetch(address.api + path, {
    ...opts,
    headers: { 'X-API-KEY': required('E2B_API_KEY'), ...opts.headers },
  })
}

// The header pair by which the SDK itself names a sandbox and a port.
export function headersFor(sandbox, port, extra = {}) {
  return { 'E2b-Sandbox-Id': sandbox.sandboxId, 'E2b-Sandbox-Port': String(port), ...extra }
}

// The SDKs differ in what they offer; a program asks for the feature, not for the version.
export const version = JSON.parse(await readFile(new URL('../node_modules/e2b/package.json', import.meta.url), 'utf8')).version

export function atLeast(wanted) {
  const [have, want] = [version, wanted].map((text) => text.split('.').map(Number))
  const at = have.findIndex((number, index) => number !== want[index])
  return at < 0 || have[at] > want[at]
}

// What a program in the sandbox answers on a port: by the header pair, which needs no name and no TLS.
export function visit(sandbox, port, path = '/', opts = {}) {
  return fetch(address.sandbox + path, { ...opts, headers: headersFor(sandbox, port, opts.headers) })
}

// A web server of the sandbox's own, ready when this returns.
export async function serve(sandbox, port, directory = '/home/user/site') {
  await sandbox.files.write(`${directory}/index.html`, `served from ${port}\n`)
  const handle = await start(sandbox, `python3 -m http.server ${port} --directory ${directory}`)
  handle.wait().catch(() => {})
  await eventually(
    `port ${port} answers`,
    async () => (await sandbox.commands.run(`curl -s -o /dev/null -w '%{http_code}' localhost:${port}/ || true`)).stdout,
    (code) => code === '200',
  )
  return handle
}

export async function bootId(sandbox) {
  return (await sandbox.commands.run('cat /proc/sys/kernel/random/boot_id')).stdout.trim()
}

export async function collected(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

export function sameBytes(actual, wanted, what) {
  assert.equal(Buffer.compare(Buffer.from(actual), Buffer.from(wanted)), 0, what)
}

// A refusal of the control plane: its status is at the head of the SDK's message.
export function refusedWith(status, pattern, kind) {
  return (failure) => {
    if (kind) assert.ok(failure instanceof kind, `${failure.name}: ${failure.message}`)
    assert.match(failure.message, new RegExp(`^${status}: `), failure.message)
    if (pattern) assert.match(failure.message, pattern)
    return true
  }
}
