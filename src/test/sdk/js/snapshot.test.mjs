import assert from 'node:assert/strict'
import { test } from 'node:test'
import './recording.mjs'
import { Sandbox, SandboxError } from '../sdk.mjs'
import { capture, captureLimit, clearLater, everything, lastTick, newName, nextTick, open, refusedWith, startCounter } from './stage.mjs'

test('R76 R83 R90 R120 a snapshot starts sandboxes with the memory and files of its moment', async (t) => {
  const source = await open(t)
  const pid = await startCounter(source)
  await source.files.write('/home/user/state', 'at the capture')
  const snapshot = await capture(t, source)
  assert.match(snapshot.snapshotId, /^[0-9a-f-]{36}$/)
  assert.deepEqual(snapshot.names, [])
  await source.files.write('/home/user/state', 'later')
  const [a, b] = [await open(t, snapshot.snapshotId), await open(t, snapshot.snapshotId)]
  for (const clone of [a, b]) {
    assert.equal(await clone.files.read('/home/user/state'), 'at the capture')
    assert.ok((await clone.commands.list()).some((process) => process.pid === pid))
    await nextTick(clone, await lastTick(clone))
  }
  assert.equal(await source.files.read('/home/user/state'), 'later')
})

test('R90 R111 R121 R125 R130 R132 R139 the static call names a snapshot, and the name starts a sandbox', async (t) => {
  const source = await open(t)
  const name = newName('named')
  const snapshot = await Sandbox.createSnapshot(source.sandboxId, { ...captureLimit, name: `${name}:v1` })
  clearLater(t, snapshot.snapshotId)
  assert.match(snapshot.names[0], new RegExp(`^[a-z0-9_-]+/${name}:v1$`))
  const clone = await open(t, snapshot.names[0])
  assert.equal(await clone.isRunning(), true)
  await assert.rejects(source.createSnapshot({ ...captureLimit, name: `${name}:v1` }), refusedWith(409, undefined, SandboxError), 'R115')
})

test('R92 R133 R134 R135 snapshots are listed by source, by name, in pages', async (t) => {
  const source = await open(t)
  const name = newName('listed')
  const first = await capture(t, source)
  const second = await capture(t, source, { name })
  const ids = async (paginator) => (await everything(paginator)).map((snapshot) => snapshot.snapshotId)
  assert.deepEqual(await ids(source.listSnapshots()), [second.snapshotId, first.snapshotId])
  assert.deepEqual(await ids(Sandbox.listSnapshots({ sandboxId: source.sandboxId })), [second.snapshotId, first.snapshotId])
  assert.deepEqual(await ids(Sandbox.listSnapshots({ name })), [second.snapshotId])
  assert.deepEqual(await ids(Sandbox.listSnapshots({ name: newName('none') })), [])
  const pages = source.listSnapshots({ limit: 1 })
  assert.equal((await pages.nextItems())[0].snapshotId, second.snapshotId)
  assert.equal(pages.hasNext, true)
  const rest = source.listSnapshots({ limit: 1, nextToken: pages.nextToken })
  assert.equal((await rest.nextItems())[0].snapshotId, first.snapshotId)
  assert.equal(rest.hasNext, false)
})

test('R93 R131 R154 R157 R158 R160 a snapshot is deleted once, not while it is occupied, and not by a short name', async (t) => {
  const source = await open(t)
  const name = newName('deleted')
  assert.equal(source.deleteSnapshot, undefined, 'R93')
  const snapshot = await capture(t, source, { name })
  await assert.rejects(Sandbox.deleteSnapshot(name), refusedWith(400), 'R160')
  const occupant = await open(t, snapshot.snapshotId)
  await assert.rejects(Sandbox.deleteSnapshot(snapshot.snapshotId), refusedWith(409), 'R154')
  await occupant.kill()
  assert.equal(await Sandbox.deleteSnapshot(snapshot.names[0]), true)
  assert.equal(await Sandbox.deleteSnapshot(snapshot.snapshotId), false)
  await assert.rejects(Sandbox.create(snapshot.snapshotId), refusedWith(404), 'R155')
})
