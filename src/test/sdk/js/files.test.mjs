import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import './recording.mjs'
import {
  AuthenticationError,
  FileNotFoundError,
  FileType,
  InvalidArgumentError,
  NotFoundError,
  SandboxError,
} from '../sdk.mjs'
import { address, collected, headersFor, newName, sameBytes, shared } from './stage.mjs'

const box = shared()
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

// Each test works in a directory of its own.
async function place() {
  const path = `/home/user/${newName('place')}`
  await box.it.files.makeDir(path)
  return path
}

test('R123 text of any alphabet is written and read back, and its answer is exact', async () => {
  const at = await place()
  const text = 'Grüße, 世界 𝄞\nsecond line\r\n'
  const written = await box.it.files.write(`${at}/text.txt`, text)
  // What the SDK adds itself is undefined.
  const told = Object.entries(written).filter(([, value]) => value !== undefined)
  assert.deepEqual(Object.fromEntries(told), { name: 'text.txt', path: `${at}/text.txt`, type: 'file' })
  assert.equal(await box.it.files.read(`${at}/text.txt`), text)
  assert.equal(await box.it.files.read(`${at}/text.txt`, { format: 'text' }), text)
  await box.it.files.write(`${at}/text.txt`, 'short')
  assert.equal(await box.it.files.read(`${at}/text.txt`), 'short', 'nothing of the longer content is left')
})

test('every form goes in and out: ArrayBuffer, Blob, stream; bytes, blob, stream', async () => {
  const at = await place()
  for (const length of [0, 1, 32_767, 32_768, 65_537, 5_000_000]) {
    const bytes = randomBytes(length)
    const forms = {
      buffer: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + length),
      blob: new Blob([bytes]),
      stream: new Blob([bytes]).stream(),
    }
    for (const [form, data] of Object.entries(forms)) {
      const path = `${at}/${form}-${length}`
      await box.it.files.write(path, data)
      sameBytes(await box.it.files.read(path, { format: 'bytes' }), bytes, `${form} of ${length} as bytes`)
    }
    const blob = await box.it.files.read(`${at}/blob-${length}`, { format: 'blob' })
    sameBytes(await blob.arrayBuffer(), bytes, `${length} as blob`)
    const stream = await box.it.files.read(`${at}/blob-${length}`, { format: 'stream' })
    sameBytes(await collected(stream), bytes, `${length} as stream`)
    if (length > 0) {
      const { stdout } = await box.it.commands.run(`sha256sum < ${at}/stream-${length}`)
      assert.equal(stdout.split(' ')[0], sha256(bytes), `${length}, seen from inside`)
    }
  }
})

test('an octet-stream upload and a gzipped one write the same bytes', async () => {
  const at = await place()
  const bytes = Buffer.from('again and again, '.repeat(20_000))
  await box.it.files.write(`${at}/octets`, new Blob([bytes]), { useOctetStream: true })
  await box.it.files.write(`${at}/zipped`, new Blob([bytes]), { gzip: true })
  await box.it.files.write(`${at}/zipped-stream`, new Blob([bytes]).stream(), { gzip: true })
  for (const name of ['octets', 'zipped', 'zipped-stream']) {
    sameBytes(await box.it.files.read(`${at}/${name}`, { format: 'bytes' }), bytes, name)
  }
  sameBytes(await box.it.files.read(`${at}/octets`, { format: 'bytes', gzip: true }), bytes, 'asked for with gzip')
})

test('a download is compressed exactly when the client takes it so', async () => {
  const at = await place()
  const text = 'compressible '.repeat(50_000)
  await box.it.files.write(`${at}/text`, text)
  const get = (encoding) =>
    fetchRaw(`/files?path=${encodeURIComponent(`${at}/text`)}`, { 'Accept-Encoding': encoding })
  const zipped = await get('gzip')
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  assert.ok(zipped.body.length < text.length / 10, `${zipped.body.length} bytes`)
  assert.equal(gunzipSync(zipped.body).toString(), text)
  const bare = await get('identity')
  assert.equal(bare.headers['content-encoding'], undefined)
  assert.equal(bare.body.toString(), text)
})

test('several files go in one call, in their order, by either name of the method', async () => {
  const at = await place()
  const files = Array.from({ length: 25 }, (_, i) => ({ path: `${at}/deep/${i}/file ${i} ä.txt`, data: `content ${i}` }))
  const written = await box.it.files.writeFiles(files)
  assert.deepEqual(written.map((file) => file.path), files.map((file) => file.path))
  const again = await box.it.files.write([
    { path: `${at}/one`, data: 'first' },
    { path: `${at}/two`, data: new TextEncoder().encode('second').buffer },
  ])
  assert.deepEqual(again.map((file) => file.name), ['one', 'two'])
  for (const { path, data } of files) assert.equal(await box.it.files.read(path), data)
  assert.equal(await box.it.files.read(`${at}/two`), 'second')
  assert.deepEqual(await box.it.files.writeFiles([]), [])
  await assert.rejects(
    box.it.files.writeFiles([
      { path: `${at}/same`, data: '1' },
      { path: `${at}/same`, data: '2' },
    ]),
    InvalidArgumentError,
  )
})

test('directories on the way are made, owned by the acting user, with the ordinary modes', async () => {
  const at = await place()
  await box.it.files.write(`${at}/made/on/the/way.txt`, 'x')
  await box.it.files.write(`${at}/roots/own.txt`, 'x', { user: 'root' })
  const { stdout } = await box.it.commands.run(`cd ${at}; stat -c '%U:%G %a' made made/on made/on/the/way.txt roots roots/own.txt`)
  assert.deepEqual(stdout.trim().split('\n'), ['user:user 755', 'user:user 755', 'user:user 644', 'root:root 755', 'root:root 644'])
  await box.it.commands.run(`chmod 600 ${at}/made/on/the/way.txt`)
  await box.it.files.write(`${at}/made/on/the/way.txt`, 'y')
  assert.equal((await box.it.files.getInfo(`${at}/made/on/the/way.txt`)).mode, 0o600, 'the mode of a file that was there stays')
})

test('an entry says its name, path, type, size, mode, permissions, owner and time', async () => {
  const at = await place()
  await box.it.files.write(`${at}/b.txt`, 'twelve bytes')
  await box.it.commands.run(`chmod 4750 ${at}/b.txt; mkdir ${at}/dir; chmod 1777 ${at}/dir`)
  const file = await box.it.files.getInfo(`${at}/b.txt`)
  assert.equal(file.name, 'b.txt')
  assert.equal(file.path, `${at}/b.txt`)
  assert.equal(file.type, FileType.FILE)
  assert.equal(Number(file.size), 12)
  assert.equal(file.mode & 0o777, 0o750)
  assert.equal(file.owner, 'user')
  assert.equal(file.group, 'user')
  assert.equal(file.symlinkTarget, undefined)
  assert.ok(Math.abs(file.modifiedTime.getTime() - Date.now()) < 60_000)
  const dir = await box.it.files.getInfo(`${at}/dir`)
  assert.equal(dir.type, FileType.DIR)
  assert.match(dir.permissions, /^d/)
  await box.it.commands.run(`chmod 640 ${at}/b.txt`)
  assert.equal((await box.it.files.getInfo(`${at}/b.txt`)).permissions, '-rw-r-----')
})

test('a link is listed as one, with its target, and read through', async () => {
  const at = await place()
  await box.it.files.write(`${at}/target.txt`, 'behind the link')
  await box.it.commands.run(`cd ${at}; ln -s target.txt link; ln -s nowhere broken; mkdir d; ln -s d dirlink; ln -s loop loop`)
  const link = await box.it.files.getInfo(`${at}/link`)
  assert.equal(link.path, `${at}/link`)
  assert.equal(link.symlinkTarget, `${at}/target.txt`)
  assert.match(link.permissions, /^L/)
  assert.equal(await box.it.files.read(`${at}/link`), 'behind the link')
  const names = (await box.it.files.list(at)).map((entry) => entry.name)
  assert.deepEqual(names, ['broken', 'd', 'dirlink', 'link', 'loop', 'target.txt'])
  await box.it.files.write(`${at}/d/inside`, 'x')
  assert.deepEqual((await box.it.files.list(`${at}/dirlink`)).map((entry) => entry.name), ['inside'])
  await assert.rejects(box.it.files.list(`${at}/loop`), SandboxError)
  await box.it.files.remove(`${at}/link`)
  assert.equal(await box.it.files.read(`${at}/target.txt`), 'behind the link', 'removing a link leaves its target')
})

test('a listing goes as deep as asked, parents first, in order', async () => {
  const at = await place()
  await box.it.files.writeFiles(['b/2', 'b/1/x', 'a', 'b/1/deep/y'].map((name) => ({ path: `${at}/${name}`, data: name })))
  const paths = async (depth) => (await box.it.files.list(at, { depth })).map((entry) => entry.path.slice(at.length + 1))
  assert.deepEqual(await paths(undefined), ['a', 'b'])
  assert.deepEqual(await paths(1), ['a', 'b'])
  assert.deepEqual(await paths(2), ['a', 'b', 'b/1', 'b/2'])
  assert.deepEqual(await paths(4), ['a', 'b', 'b/1', 'b/1/deep', 'b/1/deep/y', 'b/1/x', 'b/2'])
  await assert.rejects(paths(0), InvalidArgumentError)
  await assert.rejects(box.it.files.list(`${at}/a`), InvalidArgumentError)
  await assert.rejects(box.it.files.list(`${at}/none`), FileNotFoundError)
})

test('directories are made once; over a file it is the caller’s mistake', async () => {
  const at = await place()
  assert.equal(await box.it.files.makeDir(`${at}/box/inner`), true)
  assert.equal(await box.it.files.makeDir(`${at}/box/inner`), false)
  assert.equal(await box.it.files.makeDir(`${at}/rooted`, { user: 'root' }), true)
  assert.equal((await box.it.files.getInfo(`${at}/rooted`)).owner, 'root')
  await box.it.files.write(`${at}/file`, 'x')
  await assert.rejects(box.it.files.makeDir(`${at}/file`), InvalidArgumentError)
})

test('renaming moves files and directories, makes the way, and replaces a file', async () => {
  const at = await place()
  await box.it.files.write(`${at}/from.txt`, 'moved')
  const moved = await box.it.files.rename(`${at}/from.txt`, `${at}/new/way/to.txt`)
  assert.equal(moved.path, `${at}/new/way/to.txt`)
  assert.equal(moved.name, 'to.txt')
  assert.equal(await box.it.files.exists(`${at}/from.txt`), false)
  await box.it.files.write(`${at}/other`, 'replaced')
  await box.it.files.rename(`${at}/new/way/to.txt`, `${at}/other`)
  assert.equal(await box.it.files.read(`${at}/other`), 'moved')
  assert.equal((await box.it.files.rename(`${at}/new`, `${at}/renamed`)).type, FileType.DIR)
  assert.equal(await box.it.files.exists(`${at}/renamed/way`), true)
  await assert.rejects(box.it.files.rename(`${at}/none`, `${at}/x`), (failure) => {
    assert.ok(failure instanceof FileNotFoundError && failure instanceof NotFoundError, failure.name)
    return true
  })
})

test('removing takes files, whole directories, and what is not there', async () => {
  const at = await place()
  await box.it.files.write(`${at}/a/b/c`, 'x')
  await box.it.files.remove(`${at}/a`)
  assert.equal(await box.it.files.exists(`${at}/a`), false)
  await box.it.files.remove(`${at}/a`)
  await assert.rejects(box.it.files.read(`${at}/a/b/c`), FileNotFoundError)
  await assert.rejects(box.it.files.getInfo(`${at}/a`), FileNotFoundError)
})

test('a path may be relative to the home directory, begin with ~, and wander', async () => {
  const name = newName('relative')
  await box.it.files.write(`${name}/plain`, '1')
  assert.equal(await box.it.files.read(`/home/user/${name}/plain`), '1')
  assert.equal(await box.it.files.read(`~/${name}/plain`), '1')
  assert.equal(await box.it.files.read(`/home/user/../user/./${name}//plain`), '1')
  assert.equal((await box.it.files.getInfo(`~/${name}`)).path, `/home/user/${name}`)
  assert.equal((await box.it.files.getInfo('~', { user: 'root' })).path, '/root')
  assert.ok((await box.it.files.list('~')).some((entry) => entry.name === name))
  await assert.rejects(box.it.files.read('~root/x'), InvalidArgumentError)
})

test('another user acts when named, and an unknown one is refused', async () => {
  const at = await place()
  await box.it.files.write('/root/secret', 'of root', { user: 'root' })
  assert.equal(await box.it.files.read('secret', { user: 'root' }), 'of root', 'relative to that user’s home')
  assert.equal((await box.it.files.getInfo('/root/secret', { user: 'root' })).owner, 'root')
  await assert.rejects(box.it.files.read(`${at}/x`, { user: 'nobody-here' }), AuthenticationError)
  await assert.rejects(box.it.files.exists(at, { user: 'nobody-here' }), AuthenticationError)
  await assert.rejects(box.it.files.write(`${at}/x`, 'x', { user: 'nobody-here' }), AuthenticationError)
})

test('reading a directory and writing over one are the caller’s mistakes', async () => {
  const at = await place()
  await assert.rejects(box.it.files.read(at), InvalidArgumentError)
  await assert.rejects(box.it.files.write(at, 'x'), InvalidArgumentError)
})

test('names of every kind survive: spaces, quotes, percent, plus, newline, 255 bytes', async () => {
  const at = await place()
  const names = ['a b', "it's", '"q"', '100%', 'a%2Fb', 'a+b', 'ä𝄞', 'semi;colon', 'back\\slash', '#?&=', 'x'.repeat(255)]
  for (const name of names) {
    await box.it.files.write(`${at}/${name}`, name, { useOctetStream: true })
    assert.equal(await box.it.files.read(`${at}/${name}`), name)
  }
  await box.it.commands.run(`cd ${at} && touch $'new\\nline'`)
  const listed = (await box.it.files.list(at)).map((entry) => entry.name)
  assert.deepEqual([...listed].sort(), [...names, 'new\nline'].sort())
  await assert.rejects(box.it.files.write(`${at}/${'x'.repeat(256)}`, 'too long'))
  await assert.rejects(box.it.files.read(`${at}/a\0b`))
})

test('metadata is kept with its file, in answers, and replaced as a whole', async () => {
  const at = await place()
  const metadata = { owner: 'agent-7', purpose: 'a test & more' }
  const written = await box.it.files.write(`${at}/tagged`, 'x', { metadata })
  assert.deepEqual(written.metadata, metadata)
  assert.deepEqual((await box.it.files.getInfo(`${at}/tagged`)).metadata, metadata)
  assert.deepEqual((await box.it.files.list(at))[0].metadata, metadata)
  const { stdout } = await box.it.commands.run(
    `python3 -c "import os; p='${at}/tagged'; print(sorted((n, os.getxattr(p, n).decode()) for n in os.listxattr(p)))"`,
  )
  assert.equal(stdout.trim(), "[('user.e2b.owner', 'agent-7'), ('user.e2b.purpose', 'a test & more')]")
  await box.it.files.write(`${at}/tagged`, 'y', { metadata: { only: 'this' } })
  assert.deepEqual((await box.it.files.getInfo(`${at}/tagged`)).metadata, { only: 'this' })
  assert.deepEqual((await box.it.files.rename(`${at}/tagged`, `${at}/moved`)).metadata, { only: 'this' })
  const many = await box.it.files.writeFiles([`${at}/m1`, `${at}/m2`].map((path) => ({ path, data: 'x' })), { metadata })
  for (const file of many) assert.deepEqual(file.metadata, metadata)
  const streamed = await box.it.files.write(`${at}/s`, new Blob(['x']).stream(), { metadata: { Case: 'lower' } })
  assert.deepEqual(streamed.metadata, { case: 'lower' })
  await box.it.commands.run(`python3 -c "import os; os.setxattr('${at}/s', 'user.e2b.inside', b'set inside')"`)
  assert.equal((await box.it.files.getInfo(`${at}/s`)).metadata.inside, 'set inside')
})

test('a full disk is NotEnoughSpaceError and nothing else breaks', { timeout: 120_000 }, async () => {
  // A device of one megabyte fills at once.
  await box.it.commands.run('mkdir -p /mnt/small && mount -t tmpfs -o size=1m none /mnt/small && chmod 777 /mnt/small', { user: 'root' })
  await assert.rejects(box.it.files.write('/mnt/small/big', randomBytes(4 << 20).buffer), (failure) => {
    assert.equal(failure.name, 'NotEnoughSpaceError', failure.message)
    return true
  })
  assert.equal((await box.it.commands.run('echo works')).stdout, 'works\n')
})

// Below the SDK's fetch, which unpacks what it gets.
async function fetchRaw(path, headers) {
  const { request } = await import('node:http')
  const url = new URL(path, address.sandbox)
  return new Promise((resolve, reject) => {
    const call = request(url, { headers: { ...headersFor(box.it, 49983), 'X-Access-Token': box.it.envdAccessToken, ...headers } })
    call.on('error', reject)
    call.on('response', async (response) => {
      resolve({ status: response.statusCode, headers: response.headers, body: await collected(response) })
    })
    call.end()
  })
}
