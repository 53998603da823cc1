import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { ALL_TRAFFIC, Sandbox, SandboxNotFoundError } from 'e2b'
import { address, api, capture, count, eventually, headersFor, open, put, start, within } from './js/stage.mjs'
import { askOutsideForNames, openOutside, outside } from './js/outside.mjs'

const undo = []
before(async () => {
  undo.push(await openOutside())
  undo.push(await askOutsideForNames())
  // The forwarder looks at its file of name servers once in a while.
  const sandbox = await Sandbox.create('base')
  try {
    const inside = await asker(sandbox)
    let turn = 0
    await eventually(
      'the outside answers names',
      () => inside.resolve(`ready${turn++}.example`),
      (found) => found === outside.first,
      30_000,
      500,
    )
  } finally {
    await sandbox.kill()
  }
})
after(async () => {
  for (const step of undo.reverse()) await step()
})

// A program inside that resolves, reaches and holds connections, one question after the other.
async function asker(sandbox) {
  const handle = await start(sandbox, `python3 -u ${await put(sandbox, 'egress.py')}`, { stdin: true })
  handle.wait().catch(() => {})
  let answered = 0
  const ask = async (...words) => {
    await sandbox.commands.sendStdin(handle.pid, `${words.join(' ')}\n`)
    const mine = answered++
    const lines = await eventually(words.join(' '), async () => handle.stdout.split('\n').slice(0, -1), (all) => all.length > mine, 15_000, 10)
    return JSON.parse(lines[mine])
  }
  return {
    resolve: (name) => ask('resolve', name),
    reach: (host) => ask('reach', host, outside.port),
    hold: (host) => ask('hold', host, outside.echo),
    echo: (host) => ask('echo', host),
  }
}

const onlyNames = (...names) => ({ allowOut: names, denyOut: [ALL_TRAFFIC] })

test('info says of the network what was asked, and nothing that was not', async (t) => {
  const network = { allowOut: ['*.example', '8.8.8.0/24'], denyOut: [ALL_TRAFFIC], allowPublicTraffic: false, maskRequestHost: 'localhost:${PORT}' }
  const [plain, closed, listed] = [
    await open(t),
    await open(t, 'base', { allowInternetAccess: false }),
    await open(t, 'base', { network }),
  ]
  assert.deepEqual(await networkOf(plain), { allowPublicTraffic: true })
  assert.equal((await plain.getInfo()).allowInternetAccess, undefined)
  assert.equal((await closed.getInfo()).allowInternetAccess, false)
  assert.deepEqual(await networkOf(listed), network)
})

test('a denied address is not reached, and what is allowed goes before', async (t) => {
  const deny = await asker(await open(t, 'base', { network: { denyOut: [outside.second] } }))
  assert.equal(await deny.reach(outside.first), true)
  assert.equal(await deny.reach(outside.second), false)

  const allow = await asker(await open(t, 'base', { network: { allowOut: [outside.second], denyOut: [ALL_TRAFFIC] } }))
  assert.equal(await allow.reach(outside.first), false)
  assert.equal(await allow.reach(outside.second), true)
  assert.equal(await allow.resolve('any.example'), null, 'no name resolves where only addresses are allowed')

  const off = await asker(await open(t, 'base', { allowInternetAccess: false, network: { allowOut: [outside.second] } }))
  assert.equal(await off.reach(outside.second), true, 'no internet is the same as denying all')
  assert.equal(await off.reach(outside.first), false)
})

test('only names that are allowed resolve, and only their addresses are reached', async (t) => {
  const inside = await asker(await open(t, 'base', { network: onlyNames('one.example', '*.wild.example', 'alias.example') }))
  for (const name of ['two.example', 'www.one.example', 'wild.example', 'xone.example']) {
    assert.equal(await inside.resolve(name), null, name)
  }
  assert.equal(await inside.reach(outside.first), false, 'nobody has asked for its name yet')
  assert.equal(await inside.resolve('one.example'), outside.first)
  assert.equal(await inside.reach(outside.first), true)
  assert.equal(await inside.resolve('second.deep.wild.example'), outside.second)
  assert.equal(await inside.reach(outside.second), true)
  assert.equal(await inside.resolve('alias.example'), outside.alias)
  assert.equal(await inside.reach(outside.alias), true)
  assert.equal(await inside.reach(outside.public.split(':')[0]), false)
})

test('an allowed name that leads to a private address opens nothing', async (t) => {
  const network = { allowOut: ['rebind.example', 'carrier.example', '192.168.0.0/16', '10.0.0.0/8', ALL_TRAFFIC], denyOut: [ALL_TRAFFIC] }
  const inside = await asker(await open(t, 'base', { network }))
  assert.equal(await inside.resolve('rebind.example'), null)
  await inside.resolve('carrier.example')
  for (const target of outside.forbidden) assert.equal(await inside.reach(target.split(':')[0]), false, target)
  assert.equal(await inside.reach(outside.first), true)
})

test('an update is in force when it is answered, cuts what it denies and leaves the rest', async (t) => {
  const sandbox = await open(t)
  const inside = await asker(sandbox)
  await inside.hold(outside.first)
  await inside.hold(outside.second)
  for (let i = 0; i < count('HOLDFAST_TEST_RESTORES', 2) / 2; i++) {
    const begun = Date.now()
    await sandbox.updateNetwork({ denyOut: [`${outside.second}/32`] })
    const took = Date.now() - begun
    assert.ok(took < 2_000, `it took ${took} ms`)
    assert.equal(await inside.reach(outside.second), false)
    assert.equal(await inside.echo(outside.second), false, 'an open connection is cut')
    assert.equal(await inside.echo(outside.first), true, 'another goes on')
    await sandbox.updateNetwork({})
    assert.equal(await inside.reach(outside.second), true)
    await inside.hold(outside.second)
  }
  assert.deepEqual(await networkOf(sandbox), { allowPublicTraffic: true }, 'what is left out is cleared')
  await sandbox.updateNetwork(onlyNames('one.example'))
  assert.equal(await inside.resolve('two.example'), null)
  assert.equal(await inside.resolve('one.example'), outside.first)
  assert.equal(await inside.reach(outside.first), true)
  await sandbox.updateNetwork({ allowInternetAccess: false })
  assert.equal(await inside.reach(outside.first), false)
  assert.equal(await inside.resolve('one.example'), null)
  assert.equal((await sandbox.getInfo()).allowInternetAccess, false)
})

test('an update leaves alone who may reach the ports, and both addresses of the call do the same', async (t) => {
  const sandbox = await open(t, 'base', { network: { allowPublicTraffic: false, maskRequestHost: 'localhost' } })
  for (const path of ['/sandboxes', '/v2/sandboxes']) {
    const answer = await update(sandbox, { denyOut: ['8.8.8.8'] }, path)
    assert.equal(answer.status, 204)
    assert.equal(await answer.text(), '')
    assert.deepEqual(await networkOf(sandbox), { allowPublicTraffic: false, denyOut: ['8.8.8.8'], maskRequestHost: 'localhost' })
    await sandbox.updateNetwork({})
  }
})

test('of updates at the same time one is in force at the end, and the row says which', async (t) => {
  const sandbox = await open(t)
  const inside = await asker(sandbox)
  for (let round = 0; round < count('HOLDFAST_TEST_RESTORES', 2) / 2; round++) {
    const updates = Array.from({ length: 6 }, (_, i) => update(sandbox, { denyOut: [i % 2 ? outside.first : outside.second] }))
    const answers = await within(30_000, 'the updates', Promise.all(updates))
    assert.deepEqual(answers.map((answer) => answer.status), Array(6).fill(204))
    const [denied] = (await sandbox.getInfo()).network.denyOut
    assert.equal(await inside.reach(outside.first), denied !== outside.first)
    assert.equal(await inside.reach(outside.second), denied !== outside.second)
  }
})

test('an update of a sandbox that is gone, unknown or malformed is refused', async (t) => {
  const sandbox = await open(t)
  await sandbox.kill()
  await assert.rejects(sandbox.updateNetwork({}), SandboxNotFoundError)
  await assert.rejects(Sandbox.updateNetwork('i00000000000000000000', {}), SandboxNotFoundError)
})

test('what cannot be kept is refused by name, on create and on update, and changes nothing', async (t) => {
  const sandbox = await open(t)
  const refused = [
    [{ allowOut: ['a.example'] }, 'invalid_parameter', '0.0.0.0/0'],
    [{ allowOut: ['not a host'], denyOut: [ALL_TRAFFIC] }, 'invalid_parameter', 'not a host'],
    [{ denyOut: ['a.example'] }, 'invalid_parameter', 'a.example'],
    [{ denyOut: ['1.2.3.4/33'] }, 'invalid_parameter', '1.2.3.4/33'],
    [{ allowOut: ['2001:db8::1'] }, 'invalid_parameter', 'IPv6'],
    [{ allowOut: Array(300).fill('8.8.8.8') }, 'invalid_parameter', '256'],
    [{ allowOut: 'a.example' }, 'invalid_parameter', 'allowOut'],
    [{ rules: { 'a.example': [{ transform: { headers: { A: 'b' } } }] } }, 'unsupported_parameter', 'rules'],
    [{ egressProxy: { address: 'proxy.example:1080' } }, 'unsupported_parameter', 'egressProxy'],
  ]
  for (const [network, reason, words] of refused) {
    const created = await api('/v2/sandboxes', json('POST', { templateID: 'base', network }))
    for (const answer of [created, await update(sandbox, network)]) {
      const body = await answer.json()
      assert.equal(answer.status, 400, JSON.stringify(network))
      assert.equal(body.code, 400)
      assert.equal(body.reason, reason)
      assert.ok(body.message.includes(words), body.message)
    }
  }
  for (const maskRequestHost of ['a b', 'x/y', 'ä.example']) {
    const answer = await api('/v2/sandboxes', json('POST', { templateID: 'base', network: { maskRequestHost } }))
    assert.equal(answer.status, 400, maskRequestHost)
  }
  const unsecured = await api('/sandboxes', json('POST', { templateID: 'base', secure: false, network: { allowPublicTraffic: false } }))
  assert.equal(unsecured.status, 400)
  assert.deepEqual(await networkOf(sandbox), { allowPublicTraffic: true })
})

test('R147 a restored sandbox inherits the network of its snapshot, and what is said replaces it', async (t) => {
  const network = { ...onlyNames('one.example'), allowPublicTraffic: false, maskRequestHost: 'localhost:${PORT}' }
  const source = await open(t, 'base', { network })
  const snapshot = await capture(t, source)

  const heir = await open(t, snapshot.snapshotId)
  assert.deepEqual(await networkOf(heir), network)
  assert.ok(heir.trafficAccessToken)
  assert.notEqual(heir.trafficAccessToken, source.trafficAccessToken)
  const inside = await asker(heir)
  assert.equal(await inside.resolve('two.example'), null)
  assert.equal(await inside.resolve('one.example'), outside.first)
  assert.equal(await inside.reach(outside.first), true)
  assert.equal(await inside.reach(outside.second), false)

  const other = await open(t, snapshot.snapshotId, { network: { denyOut: [outside.first], allowPublicTraffic: true } })
  assert.deepEqual(await networkOf(other), { denyOut: [outside.first], allowPublicTraffic: true, maskRequestHost: network.maskRequestHost })
  assert.equal(other.trafficAccessToken, undefined)
  const free = await asker(other)
  assert.equal(await free.reach(outside.second), true)
  assert.equal(await free.reach(outside.first), false)
})

test('R147 a snapshot has the network that its source had at the capture, not at the start', async (t) => {
  const source = await open(t)
  await source.updateNetwork({ allowInternetAccess: false })
  const snapshot = await capture(t, source)
  const heir = await open(t, snapshot.snapshotId)
  assert.equal((await heir.getInfo()).allowInternetAccess, false)
  assert.equal(await (await asker(heir)).reach(outside.first), false)
  const freed = await open(t, snapshot.snapshotId, { allowInternetAccess: true })
  assert.equal(await (await asker(freed)).reach(outside.first), true)
})

test('private traffic wants its token on every user port, and the token stays outside', async (t) => {
  const sandbox = await open(t, 'base', { network: { allowPublicTraffic: false } })
  assert.ok(sandbox.trafficAccessToken)
  assert.equal((await (await Sandbox.connect(sandbox.sandboxId)).trafficAccessToken), sandbox.trafficAccessToken)
  await serve(sandbox, 3000)
  for (const port of [3000, 4567, 49999]) {
    for (const token of [{}, { 'e2b-traffic-access-token': 'wrong' }]) {
      const refused = await request(sandbox, port, token)
      assert.equal(refused.status, 403)
      assert.deepEqual(Object.keys(refused.body).sort(), ['code', 'message', 'sandboxId'])
      assert.equal(refused.body.code, 403)
    }
  }
  const token = { 'e2b-traffic-access-token': sandbox.trafficAccessToken }
  assert.equal((await request(sandbox, 4567, token)).status, 502)
  const answer = await request(sandbox, 3000, token)
  assert.equal(answer.status, 200)
  assert.ok(!JSON.stringify(answer.body).includes(sandbox.trafficAccessToken))
})

test('a program sees the host that maskRequestHost says', async (t) => {
  const sandbox = await open(t, 'base', { network: { maskRequestHost: 'localhost:${PORT}' } })
  await serve(sandbox, 3000)
  const host = `3000-${sandbox.sandboxId}.holdfast.test`
  const masked = await request(sandbox, 3000, { Host: host })
  assert.equal(masked.body.headers.host, 'localhost:3000')
  assert.equal(masked.body.headers['x-forwarded-host'], host)
})

test('bodies, in the full run larger than the memory of the server, stream through it, both ways', async (t) => {
  const sandbox = await open(t)
  await serve(sandbox, 3000, 'sink.py')
  const size = Number(process.env.HOLDFAST_TEST_BODY ?? 1_200_000_000)
  const { hostname, port } = new URL(address.sandbox)
  const outgoing = http.request({ hostname, port, path: '/', method: 'POST', agent: false, headers: headersFor(sandbox, 3000, { 'Transfer-Encoding': 'chunked' }) })
  const answer = once(outgoing, 'response')
  const piece = Buffer.alloc(1_000_000)
  for (let left = size; left > 0; left -= piece.length) {
    if (!outgoing.write(piece)) await once(outgoing, 'drain')
  }
  outgoing.end()
  const [incoming] = await within(60_000, 'the answer', answer)
  assert.equal(JSON.parse(Buffer.concat(await incoming.toArray()).toString('utf8')).length, size)

  const [download] = await once(http.get({ hostname, port, path: `/bytes/${size}`, agent: false, headers: headersFor(sandbox, 3000) }), 'response')
  let received = 0
  for await (const part of download) received += part.length
  assert.equal(received, size)
})

test('a program takes hundreds of connections at once, and no sandbox takes all of the server', async (t) => {
  const sandbox = await open(t)
  await serve(sandbox, 3000, 'hold.py')
  const { hostname, port } = new URL(address.sandbox)
  const held = []
  const begin = async () => {
    const outgoing = http.get({ hostname, port, path: '/', agent: false, headers: headersFor(sandbox, 3000) })
    const [incoming] = await once(outgoing, 'response')
    for (const side of [outgoing, incoming]) side.on('error', () => {}) // they are reset when the sandbox ends
    held.push(incoming)
    return incoming.statusCode
  }
  const some = await within(60_000, '300 connections', Promise.all(Array.from({ length: 300 }, begin)))
  assert.deepEqual(new Set(some), new Set([200]))
  const more = await within(60_000, '300 more', Promise.all(Array.from({ length: 300 }, begin)))
  assert.deepEqual(new Set(more), new Set([200, 429]), 'beyond 512 they are refused')
  const taken = [...some, ...more].filter((status) => status === 200).length
  assert.ok(taken > 490 && taken <= 512, `${taken}; what the SDK has open counts too`)
  const other = await open(t)
  await serve(other, 3000, 'sink.py')
  assert.equal((await request(other, 3000)).status, 200, 'another sandbox is not concerned')
  held.forEach((incoming) => incoming.destroy())
})

async function serve(sandbox, port, program = 'web.py') {
  const handle = await start(sandbox, `python3 -u ${await put(sandbox, program)} ${port}`)
  handle.wait().catch(() => {})
  await eventually('it listens', async () => handle.stdout, (text) => text.includes('listening'))
}

// Without the members that the SDK knows and the server did not say.
async function networkOf(sandbox) {
  return JSON.parse(JSON.stringify((await sandbox.getInfo()).network))
}

function json(method, body) {
  return { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

function update(sandbox, network, path = '/sandboxes') {
  return api(`${path}/${sandbox.sandboxId}/network`, json('PUT', network))
}

function request(sandbox, port, headers = {}) {
  const { hostname, port: at } = new URL(address.sandbox)
  return new Promise((resolve, reject) => {
    const named = headers.Host ? headers : headersFor(sandbox, port, headers)
    http
      .get({ hostname, port: at, path: '/', agent: false, headers: named }, async (incoming) => {
        const parts = []
        for await (const part of incoming) parts.push(part)
        resolve({ status: incoming.statusCode, body: JSON.parse(Buffer.concat(parts).toString('utf8')) })
      })
      .on('error', reject)
  })
}
