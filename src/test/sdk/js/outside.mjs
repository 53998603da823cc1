// The outside of the host, played by a network namespace: a public address, and addresses of the
// kinds that no sandbox may reach, each with the same TCP and UDP port. What the host can reach and a
// sandbox cannot is refused by the rules, and not merely absent.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'

const run = promisify(execFile)

const port = 8123
const slot = process.pid % 60
// Not hf...: that is how Holdfast's own interfaces begin, and no sandbox may leave by one.
const name = `outside${slot}`
const net = (last) => `203.0.113.${4 * slot + last}`

export const outside = {
  public: `${net(2)}:${port}`,
  hostSide: net(1),
  forbidden: ['10.99.77.7', '172.31.77.7', '192.168.77.7', '100.64.77.7', '169.254.77.7'].map((ip) => `${ip}:${port}`),
}

const server = `
import socket, threading
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

// Makes it, and gives what takes it away.
export async function openOutside() {
  const ip = async (...args) => run('ip', args)
  await ip('netns', 'add', name)
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
    for (const target of outside.forbidden) {
      const address = target.split(':')[0]
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
