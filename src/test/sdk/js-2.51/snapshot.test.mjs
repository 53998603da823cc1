import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sandbox, SandboxError, SandboxNotFoundError } from 'e2b'
import {
  address,
  api,
  capture,
  capturedTick,
  captureLimit,
  clearLater,
  eventually,
  everything,
  fillMemory,
  headersFor,
  lastTick,
  newName,
  nextTick,
  numbers,
  open,
  openAll,
  sleep,
  snapshotIds,
  startCounter,
  ticks,
} from './js/stage.mjs'

const refusal = (status, said = /./) => (failure) => {
  assert.ok(failure instanceof SandboxError, `${failure.name}: ${failure.message}`)
  assert.match(failure.message, new RegExp(`^${status}: `))
  assert.match(failure.message, said)
  return true
}

test('R1 R4 R12 R76 R78 R80 R83 R138 R157 R158 R163 R164 a captured sandbox lives on, and twice again after its end', async (t) => {
  const source = await open(t)
  const pid = await startCounter(source)
  await source.files.write('/home/user/kept.txt', 'as it was')

  const before = await lastTick(source)
  const snapshot = await capture(t, source)
  const after = await lastTick(source)
  assert.ok((await snapshotIds()).includes(snapshot.snapshotId), 'the list shows it at once')

  // F13: the source goes on, with the same process and what it held.
  await source.files.write('/home/user/kept.txt', 'changed after the capture')
  await nextTick(source, after + 40)
  const sourceEnd = await lastTick(source)
  assert.equal(await source.kill(), true)
  await sleep(1_500)

  const clones = await openAll(t, 2, snapshot.snapshotId)
  const [a, b] = clones
  assert.equal(new Set([source, a, b].map((s) => s.sandboxId)).size, 3)
  assert.equal(new Set([source, a, b].map((s) => s.envdAccessToken)).size, 3)

  const captured = []
  for (const clone of clones) {
    await nextTick(clone, after)
    captured.push(capturedTick(await ticks(clone), 1.5))
    assert.equal(await clone.files.read('/home/user/kept.txt'), 'as it was')
  }
  assert.equal(captured[0], captured[1], 'both carry on from the same moment')
  assert.ok(captured[0] >= before && captured[0] <= after, `${before} <= ${captured[0]} <= ${after}`)
  assert.ok(captured[0] < sourceEnd, 'what the source did later is not in the snapshot')

  // What one does, the other does not see.
  await a.files.write('/home/user/kept.txt', 'only in a')
  await a.files.write('/home/user/new-in-a.txt', 'a')
  assert.equal(await b.files.read('/home/user/kept.txt'), 'as it was')
  assert.equal(await b.files.exists('/home/user/new-in-a.txt'), false)
  await assertTokenRefused(b, a.envdAccessToken)
  await assertTokenRefused(a, source.envdAccessToken)

  // The background process is a process of each clone: listed, attached to, killed one by one.
  for (const clone of clones) {
    assert.ok((await clone.commands.list()).some((process) => process.pid === pid), 'it is listed')
    const handle = await clone.commands.connect(pid, { timeoutMs: 0 })
    handle.wait().catch(() => {})
    const heard = await eventually('it is heard', async () => numbers(handle), (n) => n.length > 3)
    assert.ok(heard[0] > captured[0], 'memory carries on from the capture too')
    assert.deepEqual(heard, heard.map((_, index) => heard[0] + index))
  }
  assert.equal(await a.commands.kill(pid), true)
  await nextTick(b, await lastTick(b))
  assert.equal(await b.commands.kill(pid), true)
  assert.equal(await b.commands.kill(pid), false)

  for (const clone of clones) assert.equal(await clone.kill(), true)
  assert.equal(await Sandbox.deleteSnapshot(snapshot.snapshotId), true)
  assert.equal(await Sandbox.deleteSnapshot(snapshot.snapshotId), false)
  // F19: gone in one place is gone in all.
  assert.ok(!(await snapshotIds()).includes(snapshot.snapshotId))
  await assert.rejects(Sandbox.create(snapshot.snapshotId), refusal(404, /deleted|not found/i))
})

test('R102 R103 R79 several snapshots of one sandbox; a deletion touches neither it nor the others', async (t) => {
  const source = await open(t)
  await source.files.write('/home/user/generation', 'one')
  const first = await capture(t, source)
  await source.files.write('/home/user/generation', 'two')
  const second = await capture(t, source)
  assert.notEqual(first.snapshotId, second.snapshotId)
  assert.equal(await Sandbox.deleteSnapshot(first.snapshotId), true)
  assert.equal((await source.commands.run('cat generation')).stdout, 'two')
  const clone = await open(t, second.snapshotId)
  assert.equal(await clone.files.read('/home/user/generation'), 'two')
  const next = await capture(t, clone)
  const grandchild = await open(t, next.snapshotId)
  assert.equal(await grandchild.files.read('/home/user/generation'), 'two')
})

test('a clone knows itself: its own host name and identity, the same user and environment', async (t) => {
  const source = await open(t, 'base', { envs: { GIVEN: 'at birth' }, metadata: { from: 'source' } })
  const snapshot = await capture(t, source)
  const [a, b] = await openAll(t, 2, snapshot.snapshotId)
  const ask = async (sandbox, question) => (await sandbox.commands.run(question)).stdout
  for (const own of ['uname -n', 'cat /etc/machine-id', 'python3 -c "import uuid; print(uuid.uuid4())"']) {
    const answers = [await ask(source, own), await ask(a, own), await ask(b, own)]
    assert.equal(new Set(answers).size, 3, `${own}: ${answers}`)
  }
  assert.equal(await ask(a, 'whoami; echo $GIVEN'), 'user\nat birth\n')
  assert.deepEqual((await a.getInfo()).metadata, { from: 'source' })
})

test('R90 R91 R112 R120 R136 R137 an unnamed snapshot has an ID, no names, and matches no name', async (t) => {
  const source = await open(t)
  const made = await Sandbox.createSnapshot(source.sandboxId, captureLimit)
  clearLater(t, made.snapshotId)
  assert.match(made.snapshotId, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  assert.deepEqual(made.names, [])
  const listed = (await everything(source.listSnapshots())).find((s) => s.snapshotId === made.snapshotId)
  assert.deepEqual(listed.names, [])
  assert.deepEqual(await snapshotIds({ name: newName('none') }), [])
  assert.equal(await (await open(t, made.snapshotId)).isRunning(), true)
})

test('R111 R118 R119 R121 R139 R140 a named snapshot is found and restored by its qualified name', async (t) => {
  const source = await open(t)
  await source.files.write('/home/user/who', 'named')
  const short = newName('Deps_Ready').toLowerCase()
  const plain = await capture(t, source, { name: short })
  assert.ok(plain.names[0].includes(short), plain.names[0])
  assert.ok(plain.names[0].endsWith(`/${short}:default`), plain.names[0])
  const tagged = await capture(t, source, { name: `${short}:v1` })
  assert.ok(tagged.names[0].endsWith(`/${short}:v1`), tagged.names[0])

  const withoutTag = plain.names[0].replace(/:default$/, '')
  for (const reference of [plain.names[0], withoutTag, tagged.names[0]]) {
    const clone = await open(t, reference)
    assert.equal(await clone.files.read('/home/user/who'), 'named')
  }
})

test('R113 R114 R115 R116 a name belongs to one snapshot of the project; another tag is another name', async (t) => {
  const [one, two] = await openAll(t, 2)
  const name = newName('taken')
  const first = await capture(t, one, { name })
  for (const again of [name, `${name}:default`, ` ${name.toUpperCase()} `]) {
    await assert.rejects(two.createSnapshot({ name: again, ...captureLimit }), refusal(409))
  }
  assert.deepEqual(await snapshotIds({ name }), [first.snapshotId], 'nothing was overwritten')
  assert.equal((await two.commands.run('echo usable')).stdout, 'usable\n', 'R161')
  const other = await capture(t, two, { name: `${name}:second` })
  assert.deepEqual(new Set(await snapshotIds({ name })), new Set([first.snapshotId, other.snapshotId]))
})

test('R117 F11 deleting a snapshot releases its name at once', async (t) => {
  const source = await open(t)
  const name = newName('again')
  const first = await capture(t, source, { name })
  assert.equal(await Sandbox.deleteSnapshot(first.names[0]), true)
  assert.equal(await Sandbox.deleteSnapshot(first.names[0]), false)
  const second = await capture(t, source, { name })
  assert.notEqual(second.snapshotId, first.snapshotId)
  assert.deepEqual(second.names, first.names)
})

test('R156 R159 R160 a deletion takes an ID or a qualified name, never a bare short name', async (t) => {
  const source = await open(t)
  const name = newName('short')
  const snapshot = await capture(t, source, { name })
  for (const bare of [name, `${name}:default`]) {
    await assert.rejects(Sandbox.deleteSnapshot(bare), refusal(400))
  }
  assert.deepEqual(await snapshotIds({ name }), [snapshot.snapshotId])
  assert.equal(await Sandbox.deleteSnapshot(snapshot.names[0]), true)
  const unknown = '0b8c5c0e-6f5e-4d7b-9a55-6d8f6b1c2a34'
  assert.equal(await Sandbox.deleteSnapshot(unknown), false)
  assert.equal(await Sandbox.deleteSnapshot(snapshot.names[0].replace(name, newName('none'))), false)
})

test('malformed names are refused before anything is captured', async (t) => {
  const source = await open(t)
  for (const name of ['two words', 'a/b/c', 'x:y:z', ':tag', 'ümlaut', 'a'.repeat(129)]) {
    await assert.rejects(source.createSnapshot({ name, ...captureLimit }), refusal(400))
  }
  assert.deepEqual(await everything(source.listSnapshots()), [])
  const unnamed = await source.createSnapshot({ name: '', ...captureLimit })
  clearLater(t, unnamed.snapshotId)
  assert.deepEqual(unnamed.names, [])
})

test('R142 R143 a reference with a slash is a snapshot or nothing', async (t) => {
  const source = await open(t)
  const snapshot = await capture(t, source, { name: newName('slug') })
  const slug = snapshot.names[0].split('/')[0]
  await assert.rejects(Sandbox.create(`${slug}/base`), refusal(404))
  for (const malformed of ['a/b/c', '/base', `${slug}/`, `${slug}/x:y:z`]) {
    await assert.rejects(Sandbox.create(malformed), refusal(400))
  }
})

test('R153 R154 R167 F20 a snapshot in use is not deleted; the refusal names who uses it', async (t) => {
  const source = await open(t)
  const snapshot = await capture(t, source)
  const clone = await open(t, snapshot.snapshotId)
  await assert.rejects(Sandbox.deleteSnapshot(snapshot.snapshotId), refusal(409, /in use/))
  const raw = await api(`/templates/${snapshot.snapshotId}`, { method: 'DELETE' })
  const { reason, occupants } = await raw.json()
  assert.deepEqual({ reason, occupants }, { reason: 'snapshot_occupied', occupants: [clone.sandboxId] })
  assert.ok((await snapshotIds()).includes(snapshot.snapshotId))
  assert.equal(await source.kill(), true)
  await assert.rejects(Sandbox.deleteSnapshot(snapshot.snapshotId), refusal(409))
  assert.equal(await clone.kill(), true)
  assert.equal(await Sandbox.deleteSnapshot(snapshot.snapshotId), true)
})

test('R128 R129 R133 R134 R135 the list is filtered by sandbox and name, newest first, and paged', async (t) => {
  const [one, two] = await openAll(t, 2)
  const name = newName('page')
  const made = []
  for (const tag of ['a', 'b', 'c']) made.unshift((await capture(t, one, { name: `${name}:${tag}` })).snapshotId)
  const foreign = await capture(t, two)

  assert.deepEqual(await snapshotIds({ sandboxId: one.sandboxId }), made)
  assert.deepEqual((await everything(two.listSnapshots())).map((s) => s.snapshotId), [foreign.snapshotId])
  assert.deepEqual(await snapshotIds({ name }), made)
  assert.deepEqual(await snapshotIds({ name: `${name}:b` }), [made[1]])
  assert.deepEqual(await snapshotIds({ name, sandboxId: two.sandboxId }), [])
  assert.deepEqual(await snapshotIds({ sandboxId: 'i0000000000000000none' }), [])

  const pages = Sandbox.listSnapshots({ name, limit: 2 })
  assert.equal(pages.hasNext, true)
  const first = await pages.nextItems()
  assert.equal(pages.hasNext, true)
  const resumed = Sandbox.listSnapshots({ name, limit: 2, nextToken: pages.nextToken })
  const second = await pages.nextItems()
  assert.equal(pages.hasNext, false)
  assert.deepEqual([...first, ...second].map((s) => s.snapshotId), made)
  assert.deepEqual(await resumed.nextItems(), second)
  await assert.rejects(Sandbox.listSnapshots({ nextToken: 'not-a-token' }).nextItems(), refusal(400))
})

test('R148 R151 R152 what a snapshot fixes cannot be overridden; an empty override is none', async (t) => {
  const source = await open(t)
  const snapshot = await capture(t, source)
  await assert.rejects(Sandbox.create(snapshot.snapshotId, { envs: { A: '1' } }), refusal(400, /envVars/))
  await assert.rejects(Sandbox.create(snapshot.snapshotId, { metadata: { 'fc.x': '1' } }), refusal(400, /fc\./))
  const clone = await open(t, snapshot.snapshotId, { envs: {}, metadata: { own: 'yes' }, timeoutMs: 60_000 })
  const info = await clone.getInfo()
  assert.equal(info.metadata.own, 'yes')
  assert.equal(info.endAt - info.startedAt, 60_000)
})

test('R96 R100 R101 R161 R162 a sandbox under capture is busy: no second capture, no kill; usable after', async (t) => {
  const source = await open(t)
  await fillMemory(source, 250)
  const path = `/sandboxes/${source.sandboxId}`
  const working = capture(t, source)
  await eventually(
    'the state says snapshotting',
    async () => (await (await api(path)).json()).lifecycleState,
    (state) => /^snapshotting$/i.test(state),
    5_000,
    5,
  )
  const answers = await Promise.all([
    api(`${path}/snapshots`, { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }),
    api(path, { method: 'DELETE' }),
    api(path),
    api(`/v2${path}/connect`, { method: 'POST', body: '{"timeout":900}', headers: { 'Content-Type': 'application/json' } }),
  ])
  const bodies = await Promise.all(answers.map((answer) => answer.json()))
  const [second, kill, info, connect] = answers.map((answer, index) => [answer.status, bodies[index]])
  assert.equal(info[1].state, 'running', 'the SDK knows only running and paused')
  assert.equal(second[0], 409, JSON.stringify(second))
  assert.equal(second[1].reason, 'sandbox_busy')
  assert.equal(kill[0], 409, JSON.stringify(kill))
  assert.equal(kill[1].reason, 'sandbox_busy')
  assert.equal(connect[0], 200)
  await working
  assert.ok((await source.getInfo()).endAt - Date.now() > 800_000, 'connect extended it at once')
  assert.equal((await source.commands.run('echo usable')).stdout, 'usable\n')
  await capture(t, source)
  assert.equal(await source.kill(), true)
})

test('R107 R108 F9 a capture whose client gave up completes, under the name asked for', async (t) => {
  const source = await open(t)
  await fillMemory(source, 150)
  const name = newName('patience')
  await assert.rejects(source.createSnapshot({ name, requestTimeoutMs: 150 }))
  const [id] = await eventually('it is listed', () => snapshotIds({ name }), (ids) => ids.length === 1, 60_000)
  clearLater(t, id)
  const clone = await open(t, id)
  assert.equal((await clone.commands.run('pgrep -fc "ballast[.]py"')).stdout, '1\n')
})

test('R94 a sandbox that ended cannot be captured', async (t) => {
  const source = await open(t)
  await source.kill()
  await assert.rejects(source.createSnapshot(captureLimit), SandboxNotFoundError)
})

async function assertTokenRefused(sandbox, token) {
  const answer = await fetch(`${address.sandbox}/files?path=/home/user/kept.txt`, {
    headers: headersFor(sandbox, 49983, { 'X-Access-Token': token }),
  })
  assert.equal(answer.status, 401)
  await answer.body?.cancel()
}
