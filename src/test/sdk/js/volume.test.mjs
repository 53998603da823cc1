import assert from 'node:assert/strict'
import { test } from 'node:test'
import './recording.mjs'
import { Sandbox, Volume } from '../sdk.mjs'
import { capture, endLater, newName, open, refusedWith } from './stage.mjs'

/** The package has its own errors for volumes, and does not export all of them. */
const named = (name) => (error) => {
  assert.equal(error.constructor.name, name, String(error))
  return true
}

// Hooks of a test run in the order of their making: this one is made by the first open, and sandboxes
// have to be gone before what they mount.
async function made(t, name = newName('volume')) {
  const volume = await Volume.create(name)
  const tidy = async () => {
    const end = Date.now() + 20_000
    while (!(await Volume.destroy(volume.volumeId).then(() => true, (e) => Date.now() > end && Promise.reject(e))))
      await new Promise((resolve) => setTimeout(resolve, 300))
  }
  return { volume, tidy }
}

test('R43 R73 a volume is seen by two sandboxes and current after a restore', async (t) => {
  const { volume, tidy } = await made(t)
  const one = await open(t, 'base', { volumeMounts: { '/mnt/data': volume } })
  const two = await open(t, 'base', { volumeMounts: { '/mnt/elsewhere/deep': volume.name } })
  t.after(tidy)
  await one.files.write('/mnt/data/note', 'first')
  assert.equal(await two.files.read('/mnt/elsewhere/deep/note'), 'first')
  assert.equal((await one.commands.run('stat -c %U /mnt/data/note')).stdout, 'user\n')
  assert.deepEqual((await one.getInfo()).volumeMounts, [{ name: volume.name, path: '/mnt/data' }])

  const saved = await capture(t, one)
  await two.files.write('/mnt/elsewhere/deep/note', 'second')
  const restored = endLater(t, await Sandbox.create(saved.snapshotId))
  assert.equal(await restored.files.read('/mnt/data/note'), 'second')
  await restored.files.write('/mnt/data/note', 'third')
  assert.equal(await volume.readFile('/note'), 'third')
})

test('R149 mounts cannot be set for a sandbox made from a snapshot', async (t) => {
  const { volume, tidy } = await made(t)
  const source = await open(t)
  t.after(tidy)
  const saved = await capture(t, source)
  await assert.rejects(
    Sandbox.create(saved.snapshotId, { volumeMounts: { '/mnt/x': volume } }),
    refusedWith(400, /volumeMounts/),
  )
})

test('a volume is found, listed and removed, and not while it is mounted', async (t) => {
  const { volume } = await made(t)
  assert.ok((await Volume.list()).some((each) => each.volumeId === volume.volumeId && each.name === volume.name))
  assert.equal((await Volume.getInfo(volume.volumeId)).token, volume.token)
  await assert.rejects(Volume.create(volume.name), refusedWith(409, /name|already/))
  const sandbox = await open(t, 'base', { volumeMounts: { '/mnt/data': volume } })
  await assert.rejects(Volume.destroy(volume.volumeId), refusedWith(409, new RegExp(sandbox.sandboxId)))
  await sandbox.kill()
  assert.equal(await Volume.destroy(volume.volumeId), true)
  assert.equal(await Volume.destroy(volume.volumeId), false)
  await assert.rejects(Volume.connect(volume.volumeId), named('VolumeNotFoundError'))
  await assert.rejects(Sandbox.create('base', { volumeMounts: { '/mnt/data': volume } }), refusedWith(404, /volume/))
})

test('files of a volume are reached without a sandbox', async (t) => {
  const { volume, tidy } = await made(t)
  t.after(tidy)
  const again = await Volume.connect(volume.volumeId)
  await again.makeDir('/a/b', { force: true })
  const written = await again.writeFile('/a/b/text', 'hello', { uid: 1000, gid: 1000, mode: 0o600 })
  assert.equal(written.path, '/a/b/text')
  assert.equal(written.size, 5)
  await volume.writeFile('/a/bytes', new Uint8Array([1, 2, 3]).buffer)
  await volume.writeFile('/empty', '')
  assert.equal(await volume.readFile('/a/b/text'), 'hello')
  assert.equal(await volume.readFile('/empty'), '')
  assert.deepEqual(await volume.readFile('/a/bytes', { format: 'bytes' }), new Uint8Array([1, 2, 3]))
  assert.equal(await volume.exists('/a/none'), false)
  assert.equal((await volume.getInfo('/a')).type, 'directory')
  assert.equal((await volume.updateMetadata('/a/bytes', { mode: 0o640 })).mode, 0o640)
  assert.deepEqual((await volume.list('/')).map((each) => each.path), ['/a', '/empty'])
  assert.deepEqual(
    (await volume.list('/', { depth: 3 })).map((each) => each.path).sort(),
    ['/a', '/a/b', '/a/b/text', '/a/bytes', '/empty'],
  )
  await volume.remove('/a')
  await assert.rejects(volume.list('/a'), named('VolumePathNotFoundError'))
  await assert.rejects(volume.readFile('/empty', { token: 'wrong' }), /token|401/)
})
