import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { test } from 'node:test'
import './recording.mjs'
import * as sdk from '../sdk.mjs'
import {
  AuthenticationError,
  Sandbox,
  SandboxError,
  SandboxNotFoundError,
  TimeoutError,
} from '../sdk.mjs'
import {
  api,
  atLeast,
  bootId,
  capture,
  collected,
  count,
  endLater,
  eventually,
  everything,
  fillMemory,
  lastTick,
  newName,
  nextTick,
  open,
  refusedWith,
  required,
  serve,
  sleep,
  start,
  startCounter,
  ticks,
  visit,
  within,
} from './stage.mjs'

const unknown = 'i0000000000000000none'
const stateOf = async (sandbox) => (await sandbox.getInfo()).state
const paused = (sandbox, limit = 30_000) =>
  eventually('it is paused', () => stateOf(sandbox), (state) => state === 'paused', limit)

test('R88 R122 a sandbox is made without naming a template, works at once and is killed', async (t) => {
  const sandbox = endLater(t, await Sandbox.create())
  assert.match(sandbox.sandboxId, /^i[a-z0-9]{20}$/)
  assert.ok(sandbox.envdAccessToken, 'the sandbox is secured')
  assert.equal(await sandbox.isRunning(), true)
  assert.equal((await sandbox.commands.run('echo here')).stdout, 'here\n')
  assert.equal(await sandbox.kill(), true)
  assert.equal(await sandbox.kill(), false)
  assert.equal(await Sandbox.kill(sandbox.sandboxId), false)
  assert.equal(await sandbox.isRunning(), false)
  await assert.rejects(sandbox.getInfo(), SandboxNotFoundError)
})

test('everything answers for a sandbox that is not there as for one that never was', async (t) => {
  const gone = await open(t)
  await gone.kill()
  for (const id of [gone.sandboxId, unknown]) {
    await assert.rejects(Sandbox.getInfo(id), SandboxNotFoundError)
    await assert.rejects(Sandbox.getFullInfo(id), SandboxNotFoundError)
    await assert.rejects(Sandbox.connect(id), SandboxNotFoundError)
    await assert.rejects(Sandbox.setTimeout(id, 10_000), SandboxNotFoundError)
    await assert.rejects(Sandbox.pause(id), SandboxNotFoundError)
    await assert.rejects(Sandbox.betaPause(id), SandboxNotFoundError)
    await assert.rejects(Sandbox.fork(id), SandboxNotFoundError)
    await assert.rejects(Sandbox.createSnapshot(id), SandboxNotFoundError)
    await assert.rejects(Sandbox.getMetrics(id), SandboxNotFoundError)
    await assert.rejects(Sandbox.updateNetwork(id, {}), SandboxNotFoundError)
    assert.equal(await Sandbox.kill(id), false)
  }
  assert.equal(await Sandbox.kill('nonexistingsandbox'), false)
})

test('info says what was asked for, and what is ours', async (t) => {
  const metadata = { mark: newName('mark'), 'odd key': 'a&b=c% d+ä' }
  const sandbox = await open(t, 'base', { metadata, timeoutMs: 120_000 })
  for (const info of [await sandbox.getInfo(), await Sandbox.getInfo(sandbox.sandboxId), await Sandbox.getFullInfo(sandbox.sandboxId)]) {
    assert.equal(info.sandboxId, sandbox.sandboxId)
    assert.equal(info.templateId, 'base')
    assert.equal(info.name, 'base')
    assert.equal(info.state, 'running')
    assert.deepEqual(info.metadata, metadata)
    assert.equal(info.envdVersion, '0.6.13')
    assert.ok(info.cpuCount > 0 && info.memoryMB > 0)
    assert.equal(info.endAt - info.startedAt, 120_000)
    assert.deepEqual(info.lifecycle, { onTimeout: 'kill', autoResume: false })
  }
})

test('F4 lists filter by metadata, state, template and moment, in both orders, in pages', async (t) => {
  const mark = newName('list')
  const opened = []
  for (const which of ['a', 'b', 'c']) opened.push(await open(t, 'base', { metadata: { mark, which } }))
  const ids = opened.map((sandbox) => sandbox.sandboxId)
  const found = async (opts, query = {}) => {
    const pages = Sandbox.list({ ...opts, query: { metadata: { mark }, ...query } })
    return (await everything(pages)).map((sandbox) => sandbox.sandboxId)
  }
  assert.deepEqual(await found(), [...ids].reverse())
  assert.deepEqual(await found({ order: 'desc' }), [...ids].reverse())
  assert.deepEqual(await found({ order: 'asc' }), ids)
  assert.deepEqual(await found({}, { metadata: { mark, which: 'b' } }), [ids[1]])
  assert.deepEqual(await found({}, { metadata: { mark, which: 'z' } }), [])
  assert.deepEqual(await found({ order: 'asc' }, { template: 'base' }), ids)
  assert.deepEqual(await found({}, { template: 'no-such-template' }), [])
  const { startedAt } = await opened[1].getInfo()
  // The SDK's moments have milliseconds, the server's more.
  const after = new Date(startedAt.getTime() + 1)
  assert.deepEqual(await found({ order: 'asc' }, { startedAfter: startedAt }), ids.slice(1))
  assert.deepEqual(await found({ order: 'asc' }, { startedAfter: after }), ids.slice(2))

  const pages = Sandbox.list({ query: { metadata: { mark } }, limit: 2, order: 'asc' })
  assert.equal(pages.hasNext, true)
  assert.equal(pages.nextToken, undefined)
  const first = await pages.nextItems()
  assert.equal(pages.hasNext, true)
  const rest = Sandbox.list({ query: { metadata: { mark } }, limit: 2, order: 'asc', nextToken: pages.nextToken })
  const second = await pages.nextItems()
  assert.equal(pages.hasNext, false)
  assert.deepEqual([...first, ...second].map((sandbox) => sandbox.sandboxId), ids)
  assert.deepEqual((await rest.nextItems()).map((sandbox) => sandbox.sandboxId), second.map((sandbox) => sandbox.sandboxId))
  await assert.rejects(pages.nextItems(), /No more items/)

  assert.equal(await opened[0].pause(), true)
  assert.deepEqual(await found({ order: 'asc' }), ids, 'F4 a paused sandbox stays in the list')
  assert.deepEqual(await found({}, { state: ['paused'] }), [ids[0]])
  assert.deepEqual(await found({ order: 'asc' }, { state: ['running'] }), ids.slice(1))
  assert.deepEqual(await found({ order: 'asc' }, { state: ['running', 'paused'] }), ids)
  await assert.rejects(Sandbox.list({ limit: 101 }).nextItems(), refusedWith(400, undefined, SandboxError))
  await assert.rejects(Sandbox.list({ nextToken: 'garbage' }).nextItems(), refusedWith(400))
})

test('connect gives the same sandbox and never shortens its life; setTimeout may', async (t) => {
  const sandbox = await open(t, 'base', { timeoutMs: 200_000 })
  const { endAt } = await sandbox.getInfo()
  const other = await Sandbox.connect(sandbox.sandboxId, { timeoutMs: 10_000 })
  assert.equal(other.envdAccessToken, sandbox.envdAccessToken)
  assert.equal((await other.getInfo()).endAt.getTime(), endAt.getTime())
  assert.equal(await sandbox.connect({ timeoutMs: 400_000 }), sandbox)
  assert.ok((await sandbox.getInfo()).endAt - endAt > 150_000)
  await Sandbox.setTimeout(sandbox.sandboxId, 100_000)
  await sandbox.setTimeout(50_000)
  const left = (await sandbox.getInfo()).endAt - Date.now()
  assert.ok(left > 40_000 && left <= 51_000, `${left} ms are left`)
  await assert.rejects(sandbox.setTimeout(0), refusedWith(400))
  await assert.rejects(sandbox.setTimeout(1_000 * 3_600 * 10_000), refusedWith(400))
})

test('F5 a timeout ends the sandbox at its moment', async (t) => {
  const sandbox = await open(t, 'base', { timeoutMs: 2_000 })
  const { endAt } = await sandbox.getInfo()
  await eventually('it is gone', () => sandbox.isRunning(), (running) => !running, 8_000, 50)
  assert.ok(Math.abs(Date.now() - endAt) < 1_500, `${Date.now() - endAt} ms after its end`)
  await assert.rejects(sandbox.getInfo(), SandboxNotFoundError)
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

test('R165 F1 pause keeps memory, processes and files, and resume goes on with them', async (t) => {
  const sandbox = await open(t, 'base', { envs: { KEPT: 'env' }, timeoutMs: 120_000 })
  const pid = await startCounter(sandbox)
  const boot = await bootId(sandbox)
  await sandbox.files.write('/home/user/kept.txt', 'kept')
  assert.equal(await sandbox.pause(), true)

  assert.equal(await stateOf(sandbox), 'paused')
  assert.equal(await sandbox.isRunning(), false)
  assert.equal(await sandbox.pause(), false, 'it was paused already')
  assert.equal(await Sandbox.betaPause(sandbox.sandboxId), false)
  await assert.rejects(sandbox.setTimeout(60_000), SandboxNotFoundError)
  await assert.rejects(sandbox.createSnapshot(), refusedWith(409))
  await assert.rejects(sandbox.commands.run('true'), (failure) => {
    assert.ok(failure instanceof SandboxNotFoundError || failure instanceof TimeoutError, failure.name)
    return true
  })

  const asked = Date.now()
  const again = await Sandbox.connect(sandbox.sandboxId, { timeoutMs: 90_000 })
  assert.equal(again.sandboxId, sandbox.sandboxId)
  assert.equal(again.envdAccessToken, sandbox.envdAccessToken)
  const info = await again.getInfo()
  assert.equal(info.state, 'running')
  assert.ok(info.startedAt >= asked - 2_000, 'a resume is a new start')
  assert.equal(info.endAt - info.startedAt, 90_000, 'and sets the time anew')
  assert.equal(await bootId(again), boot)
  assert.equal(await again.files.read('/home/user/kept.txt'), 'kept')
  assert.equal((await again.commands.run('echo $KEPT')).stdout, 'env\n')
  assert.ok((await again.commands.list()).some((process) => process.pid === pid))
  const seen = await lastTick(again)
  await nextTick(again, seen)
  await ticks(again)
})

test('F1 F3 any number of pauses keeps every change, and the resume never sticks', async (t) => {
  const sandbox = await open(t)
  const pid = await startCounter(sandbox)
  const cycles = count('HOLDFAST_TEST_CYCLES', 4)
  for (let i = 1; i <= cycles; i++) {
    await sandbox.files.write(`/home/user/cycle-${i}`, `written before pause ${i}`)
    await sandbox.commands.run(`echo ${i} >> /home/user/appended; rm -f /home/user/cycle-${i - 2}`)
    assert.equal(await sandbox.pause(), true, `pause ${i}`)
    await sandbox.connect()
    const wanted = Array.from({ length: i }, (_, index) => `${index + 1}\n`).join('')
    assert.equal(await sandbox.files.read('/home/user/appended'), wanted, `after resume ${i}`)
    assert.equal(await sandbox.files.read(`/home/user/cycle-${i}`), `written before pause ${i}`)
    assert.equal(await sandbox.files.exists(`/home/user/cycle-${i - 2}`), false)
  }
  assert.ok((await sandbox.commands.list()).some((process) => process.pid === pid))
  await nextTick(sandbox, await lastTick(sandbox))
})

test('a pause without memory keeps the files, and the connect is a boot', async (t) => {
  const sandbox = await open(t, 'base', { envs: { KEPT: 'env' } })
  const token = sandbox.envdAccessToken
  const pid = await startCounter(sandbox)
  const boot = await bootId(sandbox)
  await sandbox.files.write('/home/user/kept.txt', 'kept')
  await sandbox.commands.run('echo root > /opt/of-root', { user: 'root' })
  assert.equal(await sandbox.pause({ keepMemory: false }), true)
  assert.equal(await stateOf(sandbox), 'paused')
  const again = await Sandbox.connect(sandbox.sandboxId)
  assert.equal(again.envdAccessToken, token)
  assert.notEqual(await bootId(again), boot)
  assert.equal(await again.files.read('/home/user/kept.txt'), 'kept')
  assert.equal(await again.files.read('/opt/of-root'), 'root\n')
  assert.ok(!(await again.commands.list()).some((process) => process.pid === pid))
  assert.equal((await again.commands.run('echo $KEPT')).stdout, 'env\n')
  const seen = await lastTick(again)
  await sleep(300)
  assert.equal(await lastTick(again), seen, 'nobody counts')
})

test('a connect may boot a sandbox that was paused with memory', { skip: !atLeast('2.46.0') && 'this version has no onResume' }, async (t) => {
  const sandbox = await open(t)
  const boot = await bootId(sandbox)
  await sandbox.files.write('/home/user/kept.txt', 'kept')
  const same = await sandbox.connect({ onResume: 'reboot' })
  assert.equal(await bootId(same), boot, 'a running one is left alone')
  await sandbox.pause()
  const again = await Sandbox.connect(sandbox.sandboxId, { onResume: 'reboot' })
  assert.notEqual(await bootId(again), boot)
  assert.equal(await again.files.read('/home/user/kept.txt'), 'kept')
  await again.pause()
  const restored = await Sandbox.connect(sandbox.sandboxId, { onResume: 'restore' })
  assert.equal(await restored.files.read('/home/user/kept.txt'), 'kept')
})

test('F2 F16 a timeout may pause instead of kill, and loses nothing written before it', async (t) => {
  const sandbox = await open(t, 'base', { timeoutMs: 4_000, lifecycle: { onTimeout: 'pause' } })
  assert.deepEqual((await sandbox.getInfo()).lifecycle, { onTimeout: 'pause', autoResume: false })
  const boot = await bootId(sandbox)
  const writing = await start(sandbox, `bash -c 'i=0; while :; do i=$((i+1)); echo $i >> log; sleep 0.02; done'`)
  writing.wait().catch(() => {})
  await paused(sandbox)
  // It is called paused as soon as it is on its way there, and answers until it stands still.
  await eventually('it answers nothing', () => sandbox.commands.run('true').then(() => 'answered', () => 'refused'), (it) => it === 'refused')
  const again = await Sandbox.connect(sandbox.sandboxId, { timeoutMs: 120_000 })
  assert.equal(await bootId(again), boot)
  const lines = (await again.files.read('/home/user/log')).split('\n').slice(0, -1).map(Number)
  assert.deepEqual(lines, lines.map((_, index) => index + 1))
  assert.ok(lines.length > 30, `${lines.length} lines`)
  await eventually('it goes on', async () => (await again.files.read('/home/user/log')).split('\n').length - 1, (n) => n > lines.length)
})

test('a timeout may pause without memory', async (t) => {
  const sandbox = await open(t, 'base', { timeoutMs: 3_000, lifecycle: { onTimeout: { action: 'pause', keepMemory: false } } })
  const boot = await bootId(sandbox)
  await sandbox.files.write('/home/user/kept.txt', 'kept')
  await paused(sandbox)
  const again = await Sandbox.connect(sandbox.sandboxId)
  assert.notEqual(await bootId(again), boot)
  assert.equal(await again.files.read('/home/user/kept.txt'), 'kept')
})

test('traffic wakes a sandbox that was made so: a command, a file, a user port', async (t) => {
  const sandbox = await open(t, 'base', { lifecycle: { onTimeout: 'pause', autoResume: true } })
  assert.deepEqual((await sandbox.getInfo()).lifecycle, { onTimeout: 'pause', autoResume: true })
  const boot = await bootId(sandbox)
  await serve(sandbox, 8000)
  const wakers = {
    command: async () => assert.equal((await sandbox.commands.run('echo awake')).stdout, 'awake\n'),
    file: async () => assert.equal(await sandbox.files.read('/home/user/site/index.html'), 'served from 8000\n'),
    port: async () => assert.equal(await (await visit(sandbox, 8000)).text(), 'served from 8000\n'),
  }
  for (const [what, wake] of Object.entries(wakers)) {
    assert.equal(await sandbox.pause(), true)
    await wake()
    assert.equal(await stateOf(sandbox), 'running', what)
    assert.equal(await bootId(sandbox), boot, what)
  }
  assert.equal(await sandbox.pause(), true)
  const stranger = await fetch(`${required('E2B_SANDBOX_URL')}/files?path=x`, {
    headers: { 'E2b-Sandbox-Id': sandbox.sandboxId, 'E2b-Sandbox-Port': '49983', 'X-Access-Token': 'wrong' },
  })
  assert.ok(stranger.status >= 400, String(stranger.status))
  assert.equal(await stateOf(sandbox), 'paused', 'nobody without the token wakes it')
})

test('R168 a pause asked for during a capture waits for it, and a kill is refused', async (t) => {
  const sandbox = await open(t)
  await fillMemory(sandbox, 150)
  const capturing = capture(t, sandbox)
  await eventually(
    'it is being captured',
    async () => (await (await api(`/sandboxes/${sandbox.sandboxId}`)).json()).lifecycleState.toUpperCase(),
    (state) => state === 'SNAPSHOTTING',
    10_000,
    10,
  )
  assert.equal(await stateOf(sandbox), 'running', 'R100 the SDK knows two states only')
  await assert.rejects(sandbox.kill(), refusedWith(409), 'R101')
  await assert.rejects(sandbox.createSnapshot(), refusedWith(409), 'R96')
  await sandbox.connect()
  await sandbox.setTimeout(200_000)
  assert.equal(await within(60_000, 'the pause', sandbox.pause()), true)
  await capturing
  assert.equal(await stateOf(sandbox), 'paused')
})

test('R168 a connect asked for during a pause waits and resumes; a kill drops a paused one', async (t) => {
  const sandbox = await open(t)
  await fillMemory(sandbox, 100)
  const pausing = sandbox.pause()
  await eventually(
    'it is on its way',
    async () => (await (await api(`/sandboxes/${sandbox.sandboxId}`)).json()).lifecycleState.toUpperCase(),
    (state) => state !== 'RUNNING',
    10_000,
    10,
  )
  const again = await within(60_000, 'the connect', Sandbox.connect(sandbox.sandboxId))
  assert.equal(await pausing, true)
  assert.equal((await again.commands.run('echo up')).stdout, 'up\n')
  assert.equal(await again.betaPause(), true)
  assert.equal(await again.kill(), true)
  await assert.rejects(again.getInfo(), SandboxNotFoundError)
  assert.ok(!(await everything(Sandbox.list())).some((one) => one.sandboxId === sandbox.sandboxId))
})

test('R126 what one project makes, another does not see', async (t) => {
  const other = { apiKey: required('HOLDFAST_OTHER_API_KEY') }
  const sandbox = await open(t, 'base', { metadata: { mark: newName('mine') } })
  const snapshot = await capture(t, sandbox)
  const id = sandbox.sandboxId
  await assert.rejects(Sandbox.getInfo(id, other), SandboxNotFoundError)
  await assert.rejects(Sandbox.connect(id, other), SandboxNotFoundError)
  await assert.rejects(Sandbox.setTimeout(id, 10_000, other), SandboxNotFoundError)
  await assert.rejects(Sandbox.pause(id, other), SandboxNotFoundError)
  await assert.rejects(Sandbox.fork(id, other), SandboxNotFoundError)
  await assert.rejects(Sandbox.getMetrics(id, other), SandboxNotFoundError)
  await assert.rejects(Sandbox.updateNetwork(id, {}, other), SandboxNotFoundError)
  await assert.rejects(Sandbox.createSnapshot(id, other), SandboxNotFoundError)
  assert.equal(await Sandbox.kill(id, other), false)
  assert.ok(!(await everything(Sandbox.list(other))).some((one) => one.sandboxId === id))
  assert.ok(!(await everything(Sandbox.listSnapshots(other))).some((one) => one.snapshotId === snapshot.snapshotId))
  assert.equal(await Sandbox.deleteSnapshot(snapshot.snapshotId, other), false)
  await assert.rejects(Sandbox.create(snapshot.snapshotId, other), refusedWith(404))
  const theirs = await Sandbox.create('base', other)
  try {
    await assert.rejects(Sandbox.getInfo(theirs.sandboxId), SandboxNotFoundError)
  } finally {
    assert.equal(await Sandbox.kill(theirs.sandboxId, other), true)
  }
  assert.equal(await stateOf(sandbox), 'running')
})

test('R89 a wrong key is an AuthenticationError everywhere', async () => {
  const wrong = { apiKey: `e2b_${'0'.repeat(40)}` }
  for (const call of [
    () => Sandbox.create('base', wrong),
    () => Sandbox.connect(unknown, wrong),
    () => Sandbox.getInfo(unknown, wrong),
    () => Sandbox.kill(unknown, wrong),
    () => Sandbox.pause(unknown, wrong),
    () => Sandbox.fork(unknown, wrong),
    () => Sandbox.getMetrics(unknown, wrong),
    () => Sandbox.updateNetwork(unknown, {}, wrong),
    () => Sandbox.setTimeout(unknown, 1_000, wrong),
    () => Sandbox.list(wrong).nextItems(),
    () => Sandbox.listSnapshots(wrong).nextItems(),
    () => Sandbox.deleteSnapshot('team/name:default', wrong),
  ]) {
    await assert.rejects(call(), AuthenticationError, String(call))
  }
})

test('a client that is bound to its settings works like the classes at the top', { skip: !sdk.E2B && 'this version has none' }, async (t) => {
  const client = new sdk.E2B({ apiKey: required('E2B_API_KEY') })
  const sandbox = endLater(t, await client.Sandbox.create('base'))
  assert.equal((await sandbox.commands.run('echo bound')).stdout, 'bound\n')
  assert.equal((await Sandbox.getInfo(sandbox.sandboxId)).state, 'running')
  assert.equal(await client.Sandbox.kill(sandbox.sandboxId), true)
})

test('without security a sandbox needs no token, where the SDK still offers that', async (t) => {
  const sandbox = await open(t, 'base', { secure: false })
  if (atLeast('2.51.0')) {
    assert.ok(sandbox.envdAccessToken, 'this version secures every sandbox')
  } else {
    assert.equal(sandbox.envdAccessToken, undefined)
    const url = new URL(await sandbox.downloadUrl('/etc/hostname'))
    assert.equal(url.searchParams.get('signature'), null)
  }
  assert.equal((await sandbox.commands.run('echo open')).stdout, 'open\n')
  await sandbox.files.write('x', 'y')
  assert.equal(await sandbox.files.read('x'), 'y')
})

test('R145 R146 an unknown template is refused by name, and wrong times are refused', async () => {
  for (const template of ['no-such-template', '0b8c5c0e-6f5e-4d7b-9a55-6d8f6b1c2a34']) {
    await assert.rejects(Sandbox.create(template), refusedWith(404, new RegExp(template), SandboxError))
  }
  await assert.rejects(Sandbox.create('base', { timeoutMs: 1_000 * 3_600 * 10_000 }), refusedWith(400, /imeout/))
  await assert.rejects(Sandbox.create('base', { timeoutMs: -1_000 }), refusedWith(400))
})

for (const [name, opts, since] of [
  ['mcp', { mcp: { duckduckgo: {} } }],
  ['iam', { iam: { tokens: { aws: { audience: 'a', tokenType: 'JWT-SVID' } } } }, '2.46.0'],
  ['egressProxy', { network: { egressProxy: { address: 'proxy.example:1080' } } }, '2.46.0'],
  ['rules', { network: { rules: { 'api.example.com': [{ transform: { headers: { 'X-A': 'b' } } }] } } }],
]) {
  test(`differs: ${name} is refused by name`, { skip: since && !atLeast(since) && 'this version does not send it' }, async () => {
    await assert.rejects(Sandbox.create('base', opts), refusedWith(400, new RegExp(name), SandboxError))
  })
}

test('one connection carries every kind of answer and goes on', async (t) => {
  const sandbox = await open(t)
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const call = async (method, path, body) => {
    const headers = { 'X-API-KEY': required('E2B_API_KEY'), 'Content-Type': 'application/json' }
    const request = http.request(new URL(path, required('E2B_API_URL')), { method, agent, headers })
    request.end(body && JSON.stringify(body))
    const [response] = await once(request, 'response')
    await collected(response)
    return [response.statusCode, request.reusedSocket]
  }
  const at = `/sandboxes/${sandbox.sandboxId}`
  assert.deepEqual(await call('GET', at), [200, false])
  assert.deepEqual(await call('POST', `${at}/timeout`, { timeout: 100 }), [204, true])
  assert.deepEqual(await call('POST', `${at}/timeout`, { timeout: 0 }), [400, true])
  assert.deepEqual(await call('POST', `/v2${at}/connect`, {}), [200, true])
  assert.deepEqual(await call('DELETE', at), [204, true])
  assert.deepEqual(await call('DELETE', at), [404, true])
})
