// Deployment by domain alone: an API key, a domain whose names lead to the server, and a certificate that the client trusts.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http2 from 'node:http2'
import https from 'node:https'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Sandbox } from 'e2b'
import { capture, eventually, numbers, open, openAll, put, required, start, startCounter, within } from './js/stage.mjs'

// Node reads what it trusts when it starts, so this file runs itself once more with all of it set.
if (process.env.HOLDFAST_TEST_OVER_TLS) {
  delete process.env.E2B_API_URL
  delete process.env.E2B_SANDBOX_URL
  tests()
} else {
  const place = fileURLToPath(new URL('.', import.meta.url))
  const child = spawn(process.execPath, ['--require', './lookup.cjs', fileURLToPath(import.meta.url)], {
    cwd: place,
    stdio: 'inherit',
    env: {
      ...process.env,
      HOLDFAST_TEST_OVER_TLS: 'yes',
      E2B_DOMAIN: required('HOLDFAST_TEST_DOMAIN'),
      NODE_EXTRA_CA_CERTS: required('HOLDFAST_TEST_AUTHORITY'),
    },
  })
  process.exitCode = (await once(child, 'exit'))[0] ?? 1
}

function tests() {
  const domain = process.env.E2B_DOMAIN

  test('R124 with an API key and a domain alone everything goes over TLS', async (t) => {
    const sandbox = await open(t)
    assert.equal((await sandbox.commands.run('echo works')).stdout, 'works\n')
    const text = randomBytes(300_000).toString('hex')
    await sandbox.files.write('/home/user/big', text)
    assert.equal(await sandbox.files.read('/home/user/big'), text)
    assert.ok((await Sandbox.list().nextItems()).some((one) => one.sandboxId === sandbox.sandboxId))
    const again = await Sandbox.connect(sandbox.sandboxId)
    assert.equal((await again.commands.run('hostname')).exitCode, 0)
    const snapshot = await capture(t, sandbox)
    const clone = await open(t, snapshot.snapshotId)
    assert.equal(await clone.files.read('/home/user/big'), text)
    await sandbox.kill()
    assert.equal(await sandbox.isRunning(), false)
  })

  test('a stream over TLS goes on through a capture, and breaks loudly when its sandbox is killed', async (t) => {
    const sandbox = await open(t)
    const handle = await start(sandbox, `sh -c 'i=0; while :; do i=$((i+1)); echo $i; sleep 0.05; done'`)
    const ending = handle.wait().then(
      () => 'a clean end',
      (failure) => failure,
    )
    await eventually('numbers come', async () => numbers(handle), (seen) => seen.length > 5)
    await capture(t, sandbox)
    const before = numbers(handle).length
    await eventually('numbers go on', async () => numbers(handle), (seen) => seen.length > before + 20)
    numbers(handle).forEach((number, index) => assert.equal(number, index + 1))
    await sandbox.kill()
    const end = await within(10_000, 'the end of the stream', ending)
    assert.ok(end instanceof Error, String(end))
  })

  test('many commands at once share a connection', async (t) => {
    const sandbox = await open(t)
    const outcomes = await Promise.all(Array.from({ length: 40 }, (_, i) => sandbox.commands.run(`sleep 1; echo ${i}`)))
    assert.deepEqual(outcomes.map((one) => one.stdout), outcomes.map((_, i) => `${i}\n`))
  })

  test('the server takes 250 streams on one HTTP/2 connection, for the API and for sandboxes', async (t) => {
    const sandbox = await open(t)
    await serve(sandbox, 3000)
    for (const host of [`api.${domain}`, sandbox.getHost(3000)]) {
      const session = http2.connect(`https://${host}`)
      t.after(() => session.destroy())
      const [settings] = await once(session, 'remoteSettings')
      assert.ok(settings.maxConcurrentStreams >= 250, `${settings.maxConcurrentStreams}`)
      const answers = await Promise.all(Array.from({ length: 250 }, () => get2(session, '/health')))
      assert.deepEqual(new Set(answers.map((one) => one.status)), new Set([200]))
    }
  })

  test('a program on a port is reached by its host: plain, as events, both ways, and large', async (t) => {
    const sandbox = await open(t)
    await serve(sandbox, 3000)
    const host = sandbox.getHost(3000)
    assert.equal(host, `3000-${sandbox.sandboxId}.${domain}`)

    const plain = await (await fetch(`https://${host}/a%2Fb?c=d`, { headers: { 'X-Mine': 'yes' } })).json()
    assert.equal(plain.path, '/a%2Fb?c=d')
    assert.equal(plain.headers.host, host)
    assert.equal(plain.headers['x-forwarded-proto'], 'https')
    assert.equal(plain.headers['x-mine'], 'yes')

    for (const events of [await events1(host), await events2(host)]) {
      assert.deepEqual(events.text.match(/\d/g), ['0', '1', '2', '3', '4'])
      assert.ok(events.last - events.first > 800, `all within ${events.last - events.first} ms`)
    }

    const session = http2.connect(`https://${host}`)
    t.after(() => session.destroy())
    const over2 = JSON.parse((await get2(session, '/x')).text)
    assert.equal(over2.path, '/x')
    assert.equal(over2.headers.host, host)
    assert.ok(!Object.keys(over2.headers).some((name) => name.startsWith(':')))

    const size = 60_000_000
    const sent = await fetch(`https://${host}/`, { method: 'POST', body: pieces(size), duplex: 'half' })
    assert.equal((await sent.json()).length, size)
    let received = 0
    for await (const piece of (await fetch(`https://${host}/bytes/${size}`)).body) received += piece.length
    assert.equal(received, size)
  })

  test('a WebSocket goes over TLS', async (t) => {
    const sandbox = await open(t)
    const handle = await start(sandbox, `python3 -u ${await put(sandbox, 'web.py')} 3000`)
    handle.wait().catch(() => {})
    await eventually('it listens', async () => handle.stdout, (text) => text.includes('listening'))
    const socket = await upgrade(sandbox.getHost(3000))
    for (const text of ['hello', 'x'.repeat(2_000), 'again']) {
      assert.equal(await socket.echo(text), [...text].reverse().join(''))
    }
    await socket.close()
  })

  test('a port where nobody listens and a sandbox that is gone answer 502 over TLS', async (t) => {
    const [sandbox, gone] = await openAll(t, 2)
    const closed = await fetch(`https://${sandbox.getHost(4567)}/`)
    assert.equal(closed.status, 502)
    assert.equal((await closed.json()).port, 4567)
    await gone.kill()
    assert.equal((await fetch(`https://${gone.getHost(3000)}/`)).status, 502)
  })

  test('private traffic wants its token over TLS', async (t) => {
    const sandbox = await open(t, 'base', { network: { allowPublicTraffic: false } })
    await serve(sandbox, 3000)
    const url = `https://${sandbox.getHost(3000)}/`
    assert.equal((await fetch(url)).status, 403)
    assert.equal((await fetch(url, { headers: { 'e2b-traffic-access-token': sandbox.trafficAccessToken } })).status, 200)
  })

  test('killing one sandbox leaves the streams of another alone', async (t) => {
    const [one, two] = await openAll(t, 2)
    await startCounter(two)
    const handle = await start(two, 'sh -c "while :; do echo 1; sleep 0.05; done"')
    handle.wait().catch(() => {})
    await eventually('lines come', async () => handle.stdout.length, (length) => length > 10)
    await one.kill()
    const seen = handle.stdout.length
    await eventually('lines go on', async () => handle.stdout.length, (length) => length > seen + 20)
  })

  test('who does not trust the authority is not served', async () => {
    const agent = new https.Agent({ ca: [] })
    const answer = new Promise((resolve, reject) => https.get(`https://api.${domain}/health`, { agent, ca: randomBytes(0) }, resolve).on('error', reject))
    await assert.rejects(answer)
  })
}

async function serve(sandbox, port) {
  const handle = await start(sandbox, `python3 -u ${await put(sandbox, 'sink.py')} ${port}`)
  handle.wait().catch(() => {})
  await eventually('it listens', async () => handle.stdout, (text) => text.includes('listening'))
}

function pieces(size) {
  const piece = new Uint8Array(1_000_000)
  let left = size
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close()
      left -= piece.length
      controller.enqueue(piece)
    },
  })
}

async function events1(host) {
  return timed((await fetch(`https://${host}/events`)).body)
}

async function events2(host) {
  const session = http2.connect(`https://${host}`)
  try {
    return await timed(session.request({ ':path': '/events' }))
  } finally {
    session.destroy()
  }
}

async function timed(stream) {
  const parts = []
  const moments = []
  for await (const part of stream) {
    parts.push(Buffer.from(part))
    moments.push(Date.now())
  }
  return { text: Buffer.concat(parts).toString('utf8'), first: moments[0], last: moments.at(-1) }
}

async function get2(session, path) {
  const stream = session.request({ ':path': path })
  const [headers] = await once(stream, 'response')
  const parts = []
  for await (const part of stream) parts.push(part)
  return { status: headers[':status'], text: Buffer.concat(parts).toString('utf8') }
}

// As much of a WebSocket client as an echo needs: one masked frame out, one short frame back.
async function upgrade(host) {
  const key = randomBytes(16).toString('base64')
  const outgoing = https.request(`https://${host}/socket`, {
    headers: { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': key },
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
