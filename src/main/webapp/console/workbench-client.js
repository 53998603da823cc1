// What the Workbench asks of the server: sessions, their interpreters and processes, and captures. Their files: places.js.
import { call, del, get, Problem, post, put, query } from './http.js'
import { me } from './me.js'
import { LineReader } from './workbench-reading.js'

const ASYNC = { Prefer: 'respond-async' }
const LINES = 'application/x-ndjson, application/json'
const LOOK_AGAIN = 300

const of = (id, ...parts) => me.api('sessions', id, ...parts)
// A connection can break at any moment, as when a laptop changes its network; what is under way goes on without it.
const MOST_TRIES = 20
const pause = (millis) => new Promise((done) => setTimeout(done, millis))

/** Asks again while the server cannot be reached, but not for ever. */
async function patiently(ask, tries = MOST_TRIES) {
  try {
    return await ask()
  } catch (problem) {
    if (problem.reason !== 'unreachable' || tries === 0) {
      throw problem
    }
    await pause(LOOK_AGAIN)
    return patiently(ask, tries - 1)
  }
}

/** Opens one from a template or a snapshot; answers at once, while it starts. */
export const openSession = (from) => post(me.api('sessions'), from, { headers: ASYNC })
const readSession = (id) => get(of(id))
export const holdSession = (id, tab, take = false) => put(of(id, 'tab'), { tab, take })
export const extendSession = (id) => post(of(id, 'extend'))
export const continueSession = (id) => post(of(id, 'continue'))
export const endSession = (id) => del(of(id))
export const listProfiles = async () => (await get(me.api('profiles'))).profiles
export const listTemplates = async () => (await get(me.api('templates'))).templates

/** A tab that is closed says so while it can; the answer is not waited for. */
export const releaseSession = (id, tab) => call('DELETE', of(id, 'tab') + query({ tab }), { keepalive: true }).catch(() => {})

export const listContexts = async (id) => (await get(of(id, 'contexts'))).contexts
export const interrupt = (id, context) => post(of(id, 'contexts', context, 'interrupt'))
export const complete = (id, context, code, cursor, signal) => post(of(id, 'contexts', context, 'completions'), { code, cursor }, { signal })
export const listVariables = async (id, context) => (await get(of(id, 'contexts', context, 'variables'))).variables

export const listProcesses = async (id) => (await get(of(id, 'processes'))).processes
export const endProcess = (id, pid) => del(of(id, 'processes', String(pid)))

export const readSnapshot = (id) => get(me.api('snapshots', id))
export const listSnapshots = async (filter) => (await get(me.api('snapshots') + query(filter))).snapshots

/**
 * Runs code and hands over what it says, object by object. Throws what is refused; a stream that breaks ends with
 * `{ type: 'lost' }`, because nobody here knows what became of the code.
 */
export async function execute(id, context, code, take) {
  const answer = await call('POST', of(id, 'contexts', context, 'executions'), { body: { code }, headers: { Accept: LINES }, raw: true })
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  const lines = new LineReader()
  let last = null
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) {
        break
      }
      for (const line of lines.read(value)) {
        last = JSON.parse(line)
        take(last)
      }
    }
  } catch {
    last = null
  }
  if (last?.type !== 'end' && last?.type !== 'lost') {
    take({ type: 'lost', detail: 'The connection broke off. The code may run on in the session.' })
  }
}

/**
 * Saves a session; `told` hears of the operation whenever it has got further. Gives the snapshot.
 * Throws when it comes to nothing; the session is as it was then.
 */
export async function save(id, name, told) {
  const body = name ? { name } : {}
  const once = { ...ASYNC, 'Idempotency-Key': `workbench-${id}-${Date.now()}` }
  let operation = await patiently(() => post(me.api('sandboxes', id, 'snapshots'), body, { headers: once }))
  // Answered at once when it was saved before anybody had asked for the operation.
  while (operation.phase) {
    told(operation)
    if (operation.state === 'done') {
      return patiently(() => readSnapshot(operation.snapshotId))
    }
    if (operation.state !== 'running') {
      throw new Problem(409, {
        reason: operation.reason ?? 'capture_failed',
        detail: operation.message ?? 'The session could not be saved. It goes on as before.',
      })
    }
    await pause(LOOK_AGAIN)
    operation = await patiently(() => get(me.api('operations', operation.uploadId)))
  }
  return operation
}

/** Waits until a session that was just opened runs; throws with why if it does not. */
export async function started(id, told = () => {}) {
  for (;;) {
    const found = await patiently(() => readSession(id))
    told(found)
    if (found.state === 'ended') {
      throw new Problem(409, {
        reason: 'start_failed',
        detail: `The session could not be started: ${found.endDetail ?? found.endReason ?? 'it was ended meanwhile'}.`,
      })
    }
    if (found.state !== 'starting') {
      return found
    }
    await pause(LOOK_AGAIN)
  }
}

/** The interpreter of a session that the Workbench uses. */
export async function interpreter(id) {
  const contexts = await patiently(() => listContexts(id))
  const python = contexts.find((each) => each.id === 'python') ?? contexts.find((each) => each.language === 'python')
  if (!python) {
    throw new Problem(409, { reason: 'interpreter_unavailable', detail: 'This session has no Python interpreter. Open one from the template code-interpreter-v1.' })
  }
  return python
}
