// The outside of the host, played by a network namespace: a public address, and addresses of the
// kinds that no sandbox may reach, each with the same TCP and UDP port. What the host can reach and a
// sandbox cannot is refused by the rules, and not merely absent.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

const port = 8123
// Below are the addresses of the Java tests' own outside.
const slots = Array.from({ length: 40 }, (_, index) => 20 + ((process.pid + index) % 40))
const slot = await taken(slots)
const name = nameOf(slot)
const net = (last) => `203.0.113.${4 * slot + last}`

// Whoever names lead to: addresses that no rule of ours or of a forwarder has anything against.
const far = (last) => `93.184.215.${4 * slot + last}`

// The last parts of the names that the name server here gives an address for; all others have the first.
const names = { second: far(2), alias: far(3), rebind: `192.168.77.${slot + 2}`, carrier: `100.64.77.${slot + 2}` }

export const outside = {
  port,
  echo: port + 1,
  nameServer: net(2),
  first: far(1),
  second: names.second,
  alias: names.alias,
  public: `${net(2)}:${port}`,
  hostSide: net(1),
  // Of our own as well: two runs on one host would else add the same routes.
  forbidden: ['10.99.77', '172.31.77', '192.168.77', '100.64.77', '169.254.77'].map((part) => `${part}.${slot + 2}:${port}`),
}

const server = `
import json, socket, struct, threading
names = json.loads('${JSON.stringify(names)}')
def echo(peer):
    with peer:
        while data := peer.recv(4096):
            peer.sendall(data)
def echoes():
    listener = socket.create_server(("0.0.0.0", ${port + 1}), backlog=64)
    while True:
        threading.Thread(target=echo, args=(listener.accept()[0],), daemon=True).start()
def resolver():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind(("${net(2)}", 53))
    while True:
        query, peer = s.recvfrom(512)
        end = query.index(0, 12) + 5
        word = next((word for word in names if word.encode() in query), "")
        answers, name = b"", b"\\xc0\\x0c"
        if word == "alias":
            name = b"\\x04edge\\x07network\\x00"
            answers = struct.pack(">HHHIH", 0xC00C, 5, 1, 60, len(name)) + name
        answers += name + struct.pack(">HHIH", 1, 1, 60, 4) + socket.inet_aton(names.get(word, "${far(1)}"))
        count = 2 if word == "alias" else 1
        s.sendto(query[:2] + struct.pack(">HHHHH", 0x8180, 1, count, 0, 0) + query[12:end] + answers, peer)
threading.Thread(target=echoes, daemon=True).start()
threading.Thread(target=resolver, daemon=True).start()
def udp():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind(("0.0.0.0", ${port}))
    while True:
        data, peer = s.recvfrom(2048)
        print("datagram", flush=True)
listener = socket.create_server(("0.0.0.0", ${port}), backlog=64)
threading.Thread(target=udp, daemon=True).start()
print("listening", flush=True)
while True:
    listener.accept()[0].close()
`

// Not hf...: that is how Holdfast's own interfaces begin, and no sandbox may leave by one.
function nameOf(slot) {
  return `outside${slot}`
}

// The first that nobody on this host has: whoever makes its namespace has it.
async function taken(slots) {
  for (const slot of slots) {
    try {
      await run('ip', ['netns', 'add', nameOf(slot)])
      return slot
    } catch (failure) {
      if (!failure.stderr?.includes('File exists')) throw failure
    }
  }
  throw new Error('every outside is taken; ip netns shows them')
}

// Makes it, and gives what takes it away.
export async function openOutside() {
  const ip = async (...args) => run('ip', args)
  let serving
  const close = async () => {
    if (serving && serving.exitCode === null) {
      serving.kill('SIGKILL')
      await once(serving, 'exit')
    }
    await ip('link', 'delete', name).catch(() => {})
    await ip('netns', 'delete', name)
  }
  try {
    await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    await ip('address', 'add', `${net(1)}/30`, 'dev', name)
    await ip('link', 'set', name, 'up')
    await ip('-n', name, 'address', 'add', `${net(2)}/30`, 'dev', 'eth0')
    await ip('-n', name, 'link', 'set', 'eth0', 'up')
    await ip('-n', name, 'link', 'set', 'lo', 'up')
    await ip('-n', name, 'route', 'add', 'default', 'via', net(1))
    const addresses = [...outside.forbidden.map((target) => target.split(':')[0]), far(1), far(2), far(3)]
    for (const address of addresses) {
      await ip('-n', name, 'address', 'add', `${address}/32`, 'dev', 'lo')
      await ip('route', 'add', `${address}/32`, 'via', net(2), 'dev', name)
    }
    serving = spawn('ip', ['netns', 'exec', name, 'python3', '-u', '-c', server], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(serving.stdout, 'data')
    return close
  } catch (failure) {
    await close()
    throw failure
  }
}

// Makes the outside's name server the one that the server asks, and gives what puts the old one back.
export async function askOutsideForNames() {
  const file = process.env.HOLDFAST_TEST_RESOLVER
  if (!file) throw new Error('HOLDFAST_TEST_RESOLVER is not set')
  const before = await readFile(file, 'utf8')
  await writeFile(file, `nameserver ${outside.nameServer}\n`)
  return () => writeFile(file, before)
}
