import assert from 'node:assert/strict'
import { test } from 'node:test'
import './recording.mjs'
import { InvalidArgumentError, Sandbox, getSignature } from '../sdk.mjs'
import { open, shared } from './stage.mjs'

const box = shared()

async function answer(response) {
  const text = await response.text()
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}

async function refused(url, message, opts) {
  const { status, body, text } = await answer(await fetch(url, opts))
  assert.equal(status, 401, text)
  assert.equal(body.code, 401)
  assert.match(body.message, message)
}

function upload(url, content, name = 'any') {
  const form = new FormData()
  form.append('file', new Blob([content]), name)
  return fetch(url, { method: 'POST', body: form })
}

function changed(url, change) {
  const copy = new URL(url)
  change(copy.searchParams)
  return copy
}

test('a signed URL reads a file without any header, and the file is no page of this host', async () => {
  await box.it.files.write('page.html', '<script>alert(1)</script>')
  const url = await box.it.downloadUrl('page.html')
  const response = await fetch(url)
  assert.equal(response.status, 200)
  assert.equal(await response.text(), '<script>alert(1)</script>')
  assert.match(response.headers.get('content-disposition'), /^attachment/)
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.match(response.headers.get('content-security-policy'), /sandbox/)
})

test('a signed URL writes a file, at the path signed or at the one the form names', async () => {
  const at = await answer(await upload(await box.it.uploadUrl('uploaded.txt'), 'by form'))
  assert.equal(at.status, 200, at.text)
  assert.equal(await box.it.files.read('/home/user/uploaded.txt'), 'by form')
  const free = await answer(await upload(await box.it.uploadUrl(), 'anywhere', '/home/user/free/choice.txt'))
  assert.equal(free.status, 200, free.text)
  assert.equal(await box.it.files.read('/home/user/free/choice.txt'), 'anywhere')
})

test('the user is part of the signature and acts', async () => {
  const url = await box.it.uploadUrl('/home/user/of-root', { user: 'root' })
  assert.equal((await upload(url, 'x')).status, 200)
  assert.equal((await box.it.files.getInfo('/home/user/of-root')).owner, 'root')
  await refused(changed(await box.it.downloadUrl('of-root', { user: 'root' }), (query) => query.set('username', 'user')), /invalid signature/)
  assert.equal((await fetch(await box.it.downloadUrl('/home/user/of-root', { user: 'root' }))).status, 200)
})

test('an expiry holds until its second and not after', async () => {
  await box.it.files.write('expiring', 'x')
  const good = await box.it.downloadUrl('expiring', { useSignatureExpiration: 60 })
  assert.equal((await fetch(good)).status, 200)
  const late = await getSignature({
    path: 'expiring',
    operation: 'read',
    user: undefined,
    expirationInSeconds: -10,
    envdAccessToken: box.it.envdAccessToken,
  })
  await refused(
    changed(good, (query) => {
      query.set('signature', late.signature)
      query.set('signature_expiration', late.expiration)
    }),
    /signature is already expired/,
  )
  await refused(changed(good, (query) => query.set('signature_expiration', '1999999999')), /invalid signature/)
  await refused(changed(good, (query) => query.delete('signature_expiration')), /invalid signature/)
  const up = await box.it.uploadUrl('expiring-up', { useSignatureExpiration: 60 })
  assert.equal((await upload(up, 'y')).status, 200)
})

test('a signature for another path, operation or sandbox is none', async (t) => {
  await box.it.files.write('signed', 'x')
  const url = await box.it.downloadUrl('signed')
  await refused(changed(url, (query) => query.set('path', '/etc/shadow')), /invalid signature/)
  await refused(changed(url, (query) => query.set('path', '/home/user/signed')), /invalid signature/)
  await refused(url, /invalid signature/, { method: 'POST', body: new FormData() })
  await refused(changed(url, (query) => query.set('signature', 'v1_AAAA')), /invalid signature/)
  await refused(changed(url, (query) => query.set('signature', `${query.get('signature')}=`)), /invalid signature/)
  const other = await open(t)
  const stranger = new URL(await other.downloadUrl('signed'))
  assert.notEqual(stranger.searchParams.get('signature'), new URL(url).searchParams.get('signature'))
  assert.equal((await fetch(stranger)).status, 404, 'signed for the other one, where no such file is')
  await other.kill()
  const gone = await fetch(stranger)
  assert.ok([401, 502].includes(gone.status), `a killed sandbox’s signature answers ${gone.status}`)
})

test('with the sandbox named and no token, a signature is asked for', async () => {
  const bare = new URL(await box.it.downloadUrl('signed'))
  bare.searchParams.delete('signature')
  const headers = { 'E2b-Sandbox-Id': box.it.sandboxId, 'E2b-Sandbox-Port': '49983' }
  await refused(bare, /missing signature query parameter/, { headers })
  await refused(bare, /does not match/, { headers: { ...headers, 'X-Access-Token': 'wrong' } })
})

test('a signature survives a pause and a resume, because the token does', async (t) => {
  const sandbox = await open(t)
  await sandbox.files.write('kept', 'kept')
  const url = await sandbox.downloadUrl('kept')
  assert.equal(await sandbox.pause(), true)
  const asleep = await fetch(url)
  assert.ok([401, 502].includes(asleep.status), `paused: ${asleep.status}`)
  await Sandbox.connect(sandbox.sandboxId)
  assert.equal(await (await fetch(url)).text(), 'kept')
})

test('the published signature vectors come out of the SDK and are what the server computes', async () => {
  const vector = await getSignature({
    path: 'hello.txt',
    operation: 'read',
    user: 'user',
    envdAccessToken: '0tQG31xiMp0IOQfaz9dcwi72L1CPo8e0',
  })
  assert.equal(vector.signature, 'v1_gUtH/s9YCJWgCizjfUxuWfhFE4QSydOWEIIvfLwDr6E')
})

test('names that need quoting are signed as they are', async () => {
  for (const name of ['a b.txt', 'ä+%2F&=.txt', "it's #1?.txt"]) {
    await box.it.files.write(name, name, { useOctetStream: true })
    assert.equal(await (await fetch(await box.it.downloadUrl(name))).text(), name)
  }
})

test('an expiry without a token to sign with is refused by the SDK itself', async () => {
  const open = new Sandbox({ sandboxId: box.it.sandboxId, envdVersion: '0.6.13', sandboxDomain: 'none.invalid' })
  await assert.rejects(open.downloadUrl('x', { useSignatureExpiration: 5 }), InvalidArgumentError)
  assert.ok(!new URL(await open.downloadUrl('x')).searchParams.has('signature'))
})
