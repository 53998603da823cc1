import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { after, before, test } from 'node:test'
import './recording.mjs'
import * as sdk from '../sdk.mjs'
import { Sandbox, SandboxError } from '../sdk.mjs'
import { address, collected, eventually, open, put, refusedWith, serve, shared, start, visit } from './stage.mjs'
import { openOutside, outside } from './outside.mjs'

const box = shared()
const everywhere = '0.0.0.0/0'

let closeOutside
before(async () => (closeOutside = await openOutside()))
after(async () => closeOutside?.())

async function reaches(sandbox, target = outside.public) {
  const { stdout } = await sandbox.commands.run(`python3 ${await put(sandbox, 'reach.py')} tcp ${target}`)
  return JSON.parse(stdout)[target] === 'open'
}

// By the name that getHost gives, as a browser does it; the name itself need not resolve here.
async function byName(host, path = '/', headers = {}) {
  const { hostname, port } = new URL(address.sandbox)
  const call = http.request({ hostname, port, path, headers: { ...headers, Host: host } })
  call.end()
  const [response] = await once(call, 'response')
  return { status: response.statusCode, text: (await collected(response)).toString() }
}

test('a web server in the sandbox answers by the name that getHost gives', async () => {
  const host = box.it.getHost(3000)
  assert.equal(host, `3000-${box.it.sandboxId}.${box.it.sandboxDomain}`)
  await serve(box.it, 3000)
  const answer = await byName(host)
  assert.deepEqual(answer, { status: 200, text: 'served from 3000\n' })
  assert.equal((await byName(host, '/none')).status, 404)
  assert.equal((await byName(box.it.getHost(3999))).status, 502, 'nobody listens there')
  assert.equal(box.it.trafficAccessToken, undefined, 'public traffic needs no token')
})

test('an answer streams out while it is made', async () => {
  const program = `import http.server, time
class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
        for i in range(4):
            self.wfile.write(b"part %d\\n" % i); self.wfile.flush(); time.sleep(0.4)
http.server.HTTPServer(("", 3100), Slow).serve_forever()`
  await box.it.files.write('slow.py', program)
  const handle = await start(box.it, 'python3 slow.py')
  handle.wait().catch(() => {})
  const response = await eventually('it answers', () => visit(box.it, 3100), (answer) => answer.status === 200)
  const moments = []
  for await (const chunk of response.body) moments.push([Date.now(), Buffer.from(chunk).toString()])
  assert.equal(moments.map(([, text]) => text).join(''), 'part 0\npart 1\npart 2\npart 3\n')
  assert.ok(moments.at(-1)[0] - moments[0][0] > 800, 'not all at the end')
  await handle.kill()
})

test('private traffic is let in by the traffic token only', async (t) => {
  const sandbox = await open(t, 'base', { network: { allowPublicTraffic: false } })
  assert.ok(sandbox.trafficAccessToken, 'the create answer carries it')
  assert.equal((await sandbox.getInfo()).network.allowPublicTraffic, false)
  await serve(sandbox, 3000)
  for (const get of [(headers) => byName(sandbox.getHost(3000), '/', headers), async (headers) => visit(sandbox, 3000, '/', { headers })]) {
    assert.equal((await get({})).status, 403)
    assert.equal((await get({ 'e2b-traffic-access-token': 'wrong' })).status, 403)
    assert.equal((await get({ 'e2b-traffic-access-token': sandbox.trafficAccessToken })).status, 200)
  }
  const again = await Sandbox.connect(sandbox.sandboxId)
  assert.equal(again.trafficAccessToken, sandbox.trafficAccessToken)
  assert.equal((await sandbox.commands.run('echo envd needs none')).stdout, 'envd needs none\n')
})

test('a mask replaces the host that the program sees', async (t) => {
  const sandbox = await open(t, 'base', { network: { maskRequestHost: 'localhost:${PORT}' } })
  await sandbox.files.write(
    'host.py',
    `import http.server
class Host(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.headers["Host"].encode()
        self.send_response(200); self.send_header("Content-Length", str(len(body))); self.end_headers(); self.wfile.write(body)
http.server.HTTPServer(("", 3000), Host).serve_forever()`,
  )
  const handle = await start(sandbox, 'python3 host.py')
  handle.wait().catch(() => {})
  await eventually('it answers', () => byName(sandbox.getHost(3000)), ({ status, text }) => status === 200 && text === 'localhost:3000')
  assert.equal((await sandbox.getInfo()).network.maskRequestHost, 'localhost:${PORT}')
})

test('without internet access nothing outside is reached, and the sandbox works', async (t) => {
  const sandbox = await open(t, 'base', { allowInternetAccess: false })
  assert.equal((await sandbox.getInfo()).allowInternetAccess, false)
  assert.equal(await reaches(sandbox), false)
  assert.equal((await sandbox.commands.run('echo works')).stdout, 'works\n')
  assert.equal(await reaches(box.it), true, 'while another one reaches it')
})

test('what is denied is not reached, what is allowed beside it is', async (t) => {
  const [ip] = outside.public.split(':')
  const denied = await open(t, 'base', { network: { denyOut: [`${ip}/32`] } })
  assert.equal(await reaches(denied), false)
  assert.deepEqual((await denied.getInfo()).network.denyOut, [`${ip}/32`])
  const allowed = await open(t, 'base', { network: { denyOut: ({ allTraffic }) => [allTraffic], allowOut: [ip] } })
  assert.equal(await reaches(allowed), true, 'allowing wins')
  const { network } = await allowed.getInfo()
  assert.deepEqual([network.denyOut, network.allowOut], [[everywhere], [ip]])
  assert.equal(sdk.ALL_TRAFFIC, everywhere)
})

test('the policy of a running sandbox is replaced as a whole, at once', async (t) => {
  const sandbox = await open(t)
  const [ip] = outside.public.split(':')
  assert.equal(await reaches(sandbox), true)
  await sandbox.updateNetwork({ denyOut: [everywhere] })
  assert.equal(await reaches(sandbox), false)
  await sandbox.updateNetwork({ denyOut: [everywhere], allowOut: [`${ip}/32`] })
  assert.equal(await reaches(sandbox), true)
  await Sandbox.updateNetwork(sandbox.sandboxId, { allowInternetAccess: false })
  assert.equal(await reaches(sandbox), false)
  const { network } = await sandbox.getInfo()
  assert.deepEqual(network.allowOut ?? [], [], 'what was left out is cleared')
  await Sandbox.updateNetwork(sandbox.sandboxId, {})
  assert.equal(await reaches(sandbox), true)
})

test('a policy goes with a pause and a fork', async (t) => {
  const sandbox = await open(t)
  await sandbox.updateNetwork({ denyOut: [everywhere] })
  await sandbox.pause()
  await sandbox.connect()
  assert.equal(await reaches(sandbox), false, 'after a resume')
  const [child] = await sandbox.fork({ requestTimeoutMs: 120_000 })
  try {
    assert.equal(await reaches(child), false, 'in a fork')
  } finally {
    await child.kill()
  }
})

test('lists that make no sense are refused', async (t) => {
  await assert.rejects(Sandbox.create('base', { network: { allowOut: ['not an address!'] } }), refusedWith(400, undefined, SandboxError))
  await assert.rejects(Sandbox.create('base', { network: { allowOut: ['example.com'] } }), refusedWith(400), 'a name without a denial of the rest')
  await assert.rejects(Sandbox.create('base', { network: { denyOut: ['300.1.1.1/32'] } }), refusedWith(400))
  await assert.rejects(box.it.updateNetwork({ denyOut: ['1.2.3.4/99'] }), refusedWith(400))
  assert.equal(await reaches(box.it), true, 'a refused update changes nothing')
})

test('what is for the gateway of an MCP server is only a name here', async () => {
  assert.equal(box.it.getMcpUrl(), `https://${box.it.getHost(50005)}/mcp`)
})
