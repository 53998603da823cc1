import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  capture,
  capturedTick,
  count,
  lastTick,
  newName,
  nextTick,
  open,
  openAll,
  sleep,
  start,
  startCounter,
  ticks,
} from './js/stage.mjs'

const restores = count('HOLDFAST_TEST_RESTORES', 6)
const captures = count('HOLDFAST_TEST_CAPTURES', 5)

test(`R80 R83 ${restores} restores of one snapshot at once all succeed`, async (t) => {
  const source = await open(t)
  const pid = await startCounter(source)
  const snapshot = await capture(t, source)
  const after = await lastTick(source)
  await source.kill()
  await sleep(1_500)

  const clones = await openAll(t, restores, snapshot.snapshotId)
  assert.equal(new Set(clones.map((clone) => clone.sandboxId)).size, restores)
  assert.equal(new Set(clones.map((clone) => clone.envdAccessToken)).size, restores)
  const moments = await Promise.all(
    clones.map(async (clone) => {
      await nextTick(clone, after)
      assert.ok((await clone.commands.list()).some((process) => process.pid === pid))
      const mark = newName('own')
      assert.equal((await clone.commands.run(`echo ${mark} | tee own`)).stdout, `${mark}\n`)
      assert.equal(await clone.files.read('/home/user/own'), `${mark}\n`)
      return capturedTick(await ticks(clone), 1)
    }),
  )
  assert.equal(new Set(moments).size, 1, `all carry on from one moment: ${moments}`)
})

test(`R103 ${captures} captures in a row of one busy sandbox all restore`, async (t) => {
  const source = await open(t)
  const pid = await startCounter(source)
  const busy = await start(
    source,
    `python3 -c "
import hashlib, os
while True:
    data = os.urandom(1 << 20)
    with open('/home/user/pair.tmp', 'wb') as pair: pair.write(data + hashlib.sha256(data).digest())
    os.replace('/home/user/pair.tmp', '/home/user/pair')"`,
  )
  busy.wait().catch(() => {})
  await source.commands.run('until [ -e pair ]; do sleep 0.05; done')

  const made = []
  for (let i = 0; i < captures; i++) {
    const before = await lastTick(source)
    const snapshot = await capture(t, source)
    made.push({ before, id: snapshot.snapshotId, after: await lastTick(source) })
  }
  await source.kill()
  await sleep(1_000)

  for (const { before, id, after } of made) {
    const clone = await open(t, id)
    await nextTick(clone, after)
    const moment = capturedTick(await ticks(clone), 0.9)
    assert.ok(before <= moment && moment <= after, `${before} <= ${moment} <= ${after}`)
    const pids = (await clone.commands.list()).map((process) => process.pid)
    assert.ok(pids.includes(pid) && pids.includes(busy.pid))
    await clone.commands.run(
      `python3 -c "
import hashlib
whole = open('/home/user/pair', 'rb').read()
assert hashlib.sha256(whole[:-32]).digest() == whole[-32:]"`,
    )
    await clone.kill()
  }
})
