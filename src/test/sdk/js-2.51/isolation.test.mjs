import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import http from 'node:http'
import { createConnection, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, before, test } from 'node:test'
import { address, eventually, headersFor, open, openAll, put, sleep, start, within } from './js/stage.mjs'
import { openOutside, outside } from './js/outside.mjs'

let closeOutside
before(async () => (closeOutside = await openOutside()))
after(async () => closeOutside?.())

async function reach(sandbox, targets, way = 'tcp') {
  const { stdout } = await sandbox.commands.run(`python3 ${await put(sandbox, 'reach.py')} ${way} ${targets.join(' ')}`)
  return JSON.parse(stdout)
}

async function where(sandbox) {
  return JSON.parse((await sandbox.commands.run(`python3 ${await put(sandbox, 'where.py')}`)).stdout)
}

function hostAddresses() {
  return Object.values(networkInterfaces())
    .flat()
    .filter((face) => face.family === 'IPv4' && !face.internal)
    .map((face) => face.address)
}

function canConnect(target) {
  const [host, port] = target.split(':')
  const socket = createConnection({ host, port: Number(port), timeout: 2_000 })
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('timeout', () => resolve(false))
  }).finally(() => socket.destroy())
}

function assertNoneOpen(outcomes) {
  assert.deepEqual(Object.entries(outcomes).filter(([, outcome]) => outcome === 'open'), [])
}

test('a sandbox reaches the outside, and with allowInternetAccess false nothing', async (t) => {
  const [open1, closed] = [await open(t), await open(t, 'base', { allowInternetAccess: false })]
  assert.equal((await reach(open1, [outside.public]))[outside.public], 'open')
  const { gateway } = await where(closed).catch(() => ({ gateway: null }))
  const targets = [outside.public, ...outside.forbidden, `${outside.hostSide}:22`]
  if (gateway) targets.push(`${gateway}:53`)
  assertNoneOpen(await reach(closed, targets))
  assert.equal((await closed.commands.run('echo works')).stdout, 'works\n')
})

test('a sandbox reaches neither private ranges nor link-local addresses, though its host does', async (t) => {
  const sandbox = await open(t)
  for (const target of outside.forbidden) assert.ok(await canConnect(target), `the host reaches ${target}`)
  assertNoneOpen(await reach(sandbox, [...outside.forbidden, '169.254.169.254:80', '100.100.100.200:80']))
})

test('a sandbox reaches no port of its host: not the API, not the management, not PostgreSQL, none', async (t) => {
  const sandbox = await open(t)
  const { gateway } = await where(sandbox)
  // Bound to all addresses, unlike the server's own ports in a test: only the rules can refuse it.
  let visits = 0
  const listener = createServer((socket) => {
    visits++
    socket.destroy()
  })
  listener.listen(0, '0.0.0.0')
  const datagrams = createSocket('udp4')
  datagrams.bind(0, '0.0.0.0')
  t.after(() => {
    listener.close()
    datagrams.close()
  })
  await Promise.all([once(listener, 'listening'), once(datagrams, 'listening')])
  let heard = 0
  datagrams.on('message', () => heard++)

  const found = hostAddresses()
  const hosts = [...new Set([gateway, outside.hostSide, ...found])]
  // Other servers on this host end, and their addresses with them.
  const isGone = (host) => found.includes(host) && !hostAddresses().includes(host)
  for (const host of hosts) assert.ok((await canConnect(`${host}:${listener.address().port}`)) || isGone(host), host)
  const visitsOfHost = visits

  const ports = [
    listener.address().port,
    new URL(address.api).port || 80,
    process.env.HOLDFAST_MANAGEMENT_PORT || 9990,
    process.env.HOLDFAST_HTTPS_PORT || 8443,
    process.env.HOLDFAST_DB_PORT || 15432,
    5445,
    22,
  ]
  assertNoneOpen(await reach(sandbox, hosts.flatMap((host) => ports.map((port) => `${host}:${port}`))))
  await reach(sandbox, hosts.map((host) => `${host}:${datagrams.address().port}`), 'udp')
  await sleep(500)
  assert.equal(visits, visitsOfHost, 'nobody came by TCP')
  assert.equal(heard, 0, 'nothing came by UDP')
})

test('a sandbox reaches no other sandbox', async (t) => {
  const [one, two] = await openAll(t, 2)
  await serve(two, 8000)
  const { own } = await where(two)
  assert.equal((await reach(two, [`${own}:8000`]))[`${own}:8000`], 'open', 'it listens on its own address')
  assertNoneOpen(await reach(one, [`${own}:8000`, `${own}:49983`, `${own}:22`]))
  const answer = await request(two, 8000, '/')
  assert.equal(answer.status, 200, 'while the gateway reaches it')
})

test('names are resolved by the one resolver that is given', async (t) => {
  const sandbox = await open(t)
  const { stdout } = await sandbox.commands.run('grep ^nameserver /etc/resolv.conf')
  assert.equal(stdout, 'nameserver 198.51.100.53\n')
  assertNoneOpen(await reach(sandbox, ['198.51.100.53:22', '198.51.100.53:80', '198.51.100.53:8080']))
})

test('a user port answers by the header pair and by the host name', async (t) => {
  const sandbox = await open(t)
  await serve(sandbox, 3000)
  for (const by of [request, requestByHost]) {
    const answer = await by(sandbox, 3000, '/a/path%2Fkept?q=1&q=%20', { headers: { 'X-Mine': 'yes' } })
    assert.equal(answer.status, 200)
    const seen = JSON.parse(answer.text)
    assert.equal(seen.path, '/a/path%2Fkept?q=1&q=%20')
    assert.equal(seen.headers['x-mine'], 'yes')
  }
  const domain = process.env.E2B_DOMAIN || 'e2b.app'
  assert.equal(sandbox.getHost(3000), `3000-${sandbox.sandboxId}.${domain}`)
})

test('what belongs to the server does not go in, and no cookie comes out by a header route', async (t) => {
  const sandbox = await open(t)
  await serve(sandbox, 3000)
  const secrets = { 'X-API-KEY': process.env.E2B_API_KEY, 'X-Access-Token': sandbox.envdAccessToken }
  const answer = await request(sandbox, 3000, '/', { headers: secrets })
  assert.ok(!answer.text.includes(process.env.E2B_API_KEY), 'the API key stays outside')
  assert.ok(!answer.text.includes(sandbox.envdAccessToken), 'the access token stays outside')
  assert.equal(answer.headers['set-cookie'], undefined)
})

test('an upload and an answer in pieces stream through the gateway unbuffered', async (t) => {
  const sandbox = await open(t)
  await serve(sandbox, 3000)
  const bytes = randomBytes(3_000_000)
  for (const headers of [{ 'Content-Length': bytes.length }, { 'Transfer-Encoding': 'chunked' }]) {
    const answer = await request(sandbox, 3000, '/up', { method: 'POST', headers }, bytes)
    const seen = JSON.parse(answer.text)
    assert.equal(seen.length, bytes.length)
    assert.equal(seen.sha256, createHash('sha256').update(bytes).digest('hex'))
  }

  const slow = await request(sandbox, 3000, '/slow')
  assert.equal(slow.text, [0, 1, 2, 3, 4].map((n) => `piece ${n}\n`).join(''))
  assert.ok(slow.pieces.length >= 5, `${slow.pieces.length} pieces`)
  assert.ok(slow.pieces.at(-1) - slow.pieces[0] > 1_000, 'the pieces did not come together')
})

test('a WebSocket goes through the gateway', async (t) => {
  const sandbox = await open(t)
  await serve(sandbox, 3000)
  const host = `3000-${sandbox.sandboxId}.holdfast.test`
  for (const headers of [headersFor(sandbox, 3000), { Host: host }]) {
    const socket = await upgrade(headers)
    for (const text of ['hello', 'x'.repeat(2_000), 'again']) {
      assert.equal(await socket.echo(text), [...text].reverse().join(''))
    }
    await socket.close()
  }
})

test('a port where nobody listens, and a sandbox that is gone, answer 502 in JSON', async (t) => {
  const sandbox = await open(t)
  for (const by of [request, requestByHost]) {
    const answer = await within(15_000, 'the refusal', by(sandbox, 4567, '/'))
    assert.equal(answer.status, 502)
    const { message, ...rest } = JSON.parse(answer.text)
    assert.deepEqual(rest, { sandboxId: sandbox.sandboxId, port: 4567, code: 502 })
    assert.match(message, /port is not open/)
  }
  await sandbox.kill()
  for (const port of [4567, 49983, 49999]) {
    const gone = await request(sandbox, port, '/files?path=/x')
    assert.equal(gone.status, 502, `port ${port}: before any check of a token`)
    assert.equal(JSON.parse(gone.text).sandboxId, sandbox.sandboxId)
    assert.equal(JSON.parse(gone.text).code, 502)
  }
})

test('the data plane wants the token, and its inner paths are closed', async (t) => {
  const [sandbox, other] = await openAll(t, 2)
  const list = (headers) =>
    request(sandbox, 49983, '/process.Process/List', { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } }, '{}')
  assert.equal((await list({})).status, 401)
  assert.equal((await list({ 'X-Access-Token': other.envdAccessToken })).status, 401)
  assert.equal((await list({ 'X-Access-Token': sandbox.envdAccessToken })).status, 200)
  assert.equal((await request(sandbox, 49983, '/health')).status, 204, 'health needs none')
  for (const path of ['/init', '/freeze', '/unfreeze', '/collapse', '/fsfreeze', '/fsthaw', '/upgrade']) {
    const answer = await request(sandbox, 49983, path, { method: 'POST', headers: { 'X-Access-Token': sandbox.envdAccessToken } }, '{}')
    assert.equal(answer.status, 404, path)
  }
})

async function serve(sandbox, port) {
  const handle = await start(sandbox, `python3 -u ${await put(sandbox, 'web.py')} ${port}`)
  handle.wait().catch(() => {})
  await eventually('it listens', async () => handle.stdout, (text) => text.includes('listening'))
}

function request(sandbox, port, path, opts = {}, body = undefined) {
  return send(path, { ...opts, headers: headersFor(sandbox, port, opts.headers) }, body)
}

function requestByHost(sandbox, port, path, opts = {}, body = undefined) {
  const headers = { Host: `${port}-${sandbox.sandboxId}.holdfast.test`, ...opts.headers }
  return send(path, { ...opts, headers }, body)
}

// With the moment of each piece of the answer; fetch() would neither keep the path nor the Host.
function send(path, opts, body) {
  const { hostname, port } = new URL(address.sandbox)
  return new Promise((resolve, reject) => {
    const outgoing = http.request({ hostname, port, path, agent: false, ...opts }, (incoming) => {
      const pieces = []
      const parts = []
      incoming.on('data', (part) => {
        pieces.push(Date.now())
        parts.push(part)
      })
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode,
          headers: incoming.headers,
          text: Buffer.concat(parts).toString('utf8'),
          pieces,
        }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

// As much of a WebSocket client as an echo needs: one masked frame out, one short frame back.
async function upgrade(headers) {
  const key = randomBytes(16).toString('base64')
  const { hostname, port } = new URL(address.sandbox)
  const outgoing = http.request({
    hostname,
    port,
    path: '/socket',
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': key,
      ...headers,
    },
  })
  outgoing.on('response', (answer) => outgoing.destroy(new Error(`answered ${answer.statusCode}, no upgrade`)))
  outgoing.end()
  const [answer, socket, head] = await once(outgoing, 'upgrade')
  assert.equal(
    answer.headers['sec-websocket-accept'],
    createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64'),
  )
  let received = head
  socket.on('data', (data) => (received = Buffer.concat([received, data])))
  const transmit = (opcode, data) => {
    const mask = randomBytes(4)
    const length = data.length < 126 ? [0x80 | data.length] : [0xfe, data.length >> 8, data.length & 0xff]
    socket.write(Buffer.concat([Buffer.from([0x80 | opcode, ...length]), mask, data.map((byte, i) => byte ^ mask[i % 4])]))
  }
  return {
    async echo(text) {
      transmit(1, Buffer.from(text))
      const wanted = text.length + (text.length < 126 ? 2 : 4)
      await eventually('the echo', async () => received.length, (length) => length >= wanted, 5_000, 10)
      const frame = received
      received = Buffer.alloc(0)
      return frame.subarray(frame.length - text.length).toString()
    },
    async close() {
      const ended = once(socket, 'end')
      transmit(8, Buffer.alloc(0))
      await within(5_000, 'the end of the socket', ended)
      socket.destroy()
    },
  }
}
