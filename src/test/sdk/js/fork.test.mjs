import assert from 'node:assert/strict'
import { test } from 'node:test'
import './recording.mjs'
import { Sandbox, SandboxError, SandboxNotFoundError } from '../sdk.mjs'
import { endLater, lastTick, newName, nextTick, open, refusedWith, startCounter, ticks } from './stage.mjs'

async function forked(t, forking) {
  const outcomes = await forking
  for (const outcome of outcomes) if (!(outcome instanceof Error)) endLater(t, outcome)
  return outcomes
}

const limit = { requestTimeoutMs: 120_000 }

test('F15 a fork has the live state of its source, not an older one', async (t) => {
  const source = await open(t, 'base', { metadata: { mark: newName('fork') }, envs: { KEPT: 'env' } })
  const pid = await startCounter(source)
  await source.files.write('/home/user/now', 'written just before')
  const [child, ...others] = await forked(t, source.fork(limit))
  assert.deepEqual(others, [])
  assert.ok(child instanceof Sandbox)
  assert.notEqual(child.sandboxId, source.sandboxId)
  assert.notEqual(child.envdAccessToken, source.envdAccessToken)
  assert.equal(await child.files.read('/home/user/now'), 'written just before')
  assert.ok((await child.commands.list()).some((process) => process.pid === pid))
  await nextTick(child, await lastTick(child))
  await ticks(child)
  assert.equal((await child.commands.run('echo $KEPT')).stdout, 'env\n')
  assert.deepEqual((await child.getInfo()).metadata, (await source.getInfo()).metadata)
})

test('R83 F15 three forks at once are three sandboxes, each its own, and the source goes on', async (t) => {
  const source = await open(t, 'base', { timeoutMs: 200_000 })
  const { endAt } = await source.getInfo()
  await startCounter(source)
  const children = await forked(t, Sandbox.fork(source.sandboxId, { ...limit, count: 3, timeoutMs: 60_000 }))
  assert.equal(children.length, 3)
  for (const child of children) assert.ok(child instanceof Sandbox, String(child))
  assert.equal(new Set([source, ...children].map((sandbox) => sandbox.sandboxId)).size, 4)
  assert.equal(new Set([source, ...children].map((sandbox) => sandbox.envdAccessToken)).size, 4)
  await Promise.all(children.map((child, i) => child.files.write('/home/user/own', `of ${i}`)))
  for (const [i, child] of children.entries()) {
    assert.equal(await child.files.read('/home/user/own'), `of ${i}`)
    const info = await child.getInfo()
    assert.equal(info.endAt - info.startedAt, 60_000)
    assert.notEqual((await child.commands.run('hostname')).stdout, (await source.commands.run('hostname')).stdout)
    await nextTick(child, await lastTick(child))
  }
  assert.equal(await source.files.exists('/home/user/own'), false)
  await nextTick(source, await lastTick(source))
  assert.equal((await source.getInfo()).endAt.getTime(), endAt.getTime(), 'the source keeps its end')
  assert.equal(await source.kill(), true, 'and is killed without its forks')
  assert.equal(await children[0].isRunning(), true)
})

test('a fork of a fork works, and what it leaves in no list of snapshots', async (t) => {
  const source = await open(t)
  await source.files.write('/home/user/generation', '0')
  const [child] = await forked(t, source.fork(limit))
  await child.files.write('/home/user/generation', '1')
  const [grandchild] = await forked(t, child.fork(limit))
  assert.equal(await grandchild.files.read('/home/user/generation'), '1')
  for (const sandbox of [source, child]) {
    assert.deepEqual(await sandbox.listSnapshots().nextItems(), [], 'F19 a fork leaves no snapshot behind')
  }
})

test('what cannot be forked is refused: a paused one, a wrong number, an unknown one', async (t) => {
  const source = await open(t)
  for (const count of [0, 101]) {
    await assert.rejects(source.fork({ ...limit, count }), (failure) => {
      assert.ok(failure instanceof SandboxError, failure.name)
      return true
    })
  }
  await source.pause()
  await assert.rejects(source.fork(limit), refusedWith(409, undefined, SandboxError))
  await assert.rejects(Sandbox.fork('i0000000000000000none', limit), SandboxNotFoundError)
})
