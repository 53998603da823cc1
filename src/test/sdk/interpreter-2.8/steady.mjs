// steady.mjs NAME: works with one sandbox, saves it and makes others from that, until its standard input ends. Each call is a line
// of JSON: what was asked, how long it took, and whether it was done, refused, or its connection broke. What was saved is told too.
import assert from 'node:assert/strict'
import { Sandbox } from './sdk.mjs'

const name = process.argv[2]
const STATE = '/home/user/state'
const BROKEN = /fetch failed|terminated|socket|ECONN|EPIPE|other side closed/
const LATE = /AbortError|aborted|requestTimeoutMs/
const PAUSE_MILLIS = 250
const LAST_TRIES = 60

let over = false
process.stdin.resume().on('end', () => (over = true))

const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis))
const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)

async function ask(what, call) {
  const begin = performance.now()
  const told = (outcome, words = '') => tell({ what, millis: Math.round(performance.now() - begin), outcome, words })
  try {
    const answer = await call()
    told('done')
    return answer
  } catch (error) {
    if (BROKEN.test(error.message)) {
      told('broken', `${error.name}: ${error.cause?.code ?? error.message}`)
    } else if (LATE.test(`${error.name} ${error.message}`)) {
      told('late', String(error))
    } else {
      told('refused', `${error.name}: ${error.message}`)
    }
  }
}

function same(found, expected, what) {
  assert.ok(expected.includes(found), `${what}: ${JSON.stringify(found)} is none of ${JSON.stringify(expected)}`)
}

const home = await Sandbox.create('base', { timeoutMs: 3_600_000 })
tell({ home: home.sandboxId })
const usable = []
let known = []
for (let round = 1; !over; round++) {
  const text = `${name} in round ${round}`
  const command = await ask('command', () => home.commands.run(`echo ${text}`))
  if (command) {
    same(command.stdout, [`${text}\n`], 'a command says')
  }
  const written = await ask('write', () => home.files.write(STATE, text))
  const read = await ask('read', () => home.files.read(STATE))
  if (read !== undefined) {
    if (written || known.length) {
      same(read, written ? [text] : [...known, text], 'a file holds')
    }
    known = [read]
  } else {
    known = []
  }
  if (round % 4 === 0 && known.length) {
    const saved = await ask('capture', () => home.createSnapshot({ requestTimeoutMs: 60_000 }))
    if (saved) {
      usable.push({ id: saved.snapshotId, content: known[0] })
      tell({ saved: saved.snapshotId, content: known[0] })
    }
  } else if (round % 4 === 2 && usable.length) {
    const chosen = usable[Math.floor(Math.random() * usable.length)]
    const clone = await ask('restore', () => Sandbox.create(chosen.id, { timeoutMs: 60_000 }))
    if (clone) {
      const state = await ask('read of a clone', () => clone.files.read(STATE))
      if (state !== undefined) {
        same(state, [chosen.content], `a clone of ${chosen.id} holds`)
      }
      await ask('kill', () => clone.kill())
    }
  }
  await sleep(PAUSE_MILLIS)
}
await lives()
process.exit()

/** What it works with has outlived everything. */
async function lives() {
  for (let left = LAST_TRIES; ; left--) {
    try {
      const state = await home.files.read(STATE)
      if (known.length) {
        same(state, known, 'at last a file holds')
      }
      return
    } catch (error) {
      if (error instanceof assert.AssertionError || left === 0) {
        throw error
      }
      await sleep(1000)
    }
  }
}
