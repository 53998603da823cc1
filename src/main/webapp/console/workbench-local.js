// What stays in this browser: the draft and the history of commands of each project, and which session this tab has open.
// Nothing of it is ever part of a snapshot.
import { me } from './me.js'

const MOST_ENTRIES = 200
const LONGEST_ENTRY = 20_000
const TAB = 'holdfast.tab'

/** What a first visit shows: it runs as it is. */
const FIRST_DRAFT = 'total = 42\ntotal\n'

const key = (what) => `holdfast.${what}.${me.project.id}`

/** Storage can be full, or forbidden; then it lasts as long as the page. */
const memory = new Map()

function read(name, store = localStorage) {
  try {
    return store.getItem(name) ?? memory.get(name) ?? null
  } catch {
    return memory.get(name) ?? null
  }
}

function write(name, text, store = localStorage) {
  memory.set(name, text)
  try {
    store.setItem(name, text)
    memory.delete(name)
  } catch {
    // kept above
  }
}

export const draft = {
  get isFirst() {
    return read(key('draft')) === null
  },
  read: () => read(key('draft')) ?? FIRST_DRAFT,
  write: (text) => write(key('draft'), text),
}

export const history = {
  /** The newest first: { at, code, state, took }. */
  read() {
    try {
      const entries = JSON.parse(read(key('history')) ?? '[]')
      return Array.isArray(entries) ? entries.filter((each) => typeof each?.code === 'string') : []
    } catch {
      return []
    }
  },
  add(entry) {
    const entries = [{ ...entry, code: entry.code.slice(0, LONGEST_ENTRY) }, ...this.read()].slice(0, MOST_ENTRIES)
    write(key('history'), JSON.stringify(entries))
  },
  clear: () => write(key('history'), '[]'),
}

/** The session that this tab has open, for when it is loaded anew. */
export const opened = {
  read: () => read(key('session'), sessionStorage),
  write: (id) => write(key('session'), id ?? '', sessionStorage),
}

/** How wide the panes are, in parts of a hundred. */
export const layout = {
  read() {
    try {
      return JSON.parse(read('holdfast.layout') ?? '{}') ?? {}
    } catch {
      return {}
    }
  },
  write: (sizes) => write('holdfast.layout', JSON.stringify(sizes)),
}

function fresh() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6] & 0x0f) | 0x40
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  return [...bytes].map((each, i) => ([4, 6, 8, 10].includes(i) ? '-' : '') + each.toString(16).padStart(2, '0')).join('')
}

/**
 * What this tab is called. A tab that was duplicated has the name of another one, which holds a lock on it;
 * then it gets a name of its own.
 */
export async function tabName() {
  const known = read(TAB, sessionStorage)
  const name = known && (await isFree(known)) ? known : fresh()
  if (name !== known) {
    write(TAB, name, sessionStorage)
    await isFree(name)
  }
  return name
}

const held = new Set()

function isFree(name) {
  if (held.has(name) || !navigator.locks) {
    return true
  }
  return new Promise((resolve) =>
    navigator.locks.request(`${TAB}.${name}`, { ifAvailable: true }, (lock) => {
      resolve(Boolean(lock))
      if (lock) {
        held.add(name)
        return new Promise(() => {})
      }
      return undefined
    }),
  )
}
