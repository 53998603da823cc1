// Where files are: in a session, as its user has them, or in a volume, past any sandbox. Both are used in the same way:
// `key` tells places apart, `root` is what the topmost folder is called, and an entry is { name, path, type, size, modifiedAt }.
// A place stays in its project: what is under way goes on when another one is chosen.
import { del, get, post, Problem, put, query, send } from './http.js'
import { me } from './me.js'
import { bytes } from './words.js'

const PAGE = 1_000
/** What is smaller is sent in vain sooner than asked for. */
const LARGE = 2 ** 20

export function sessionPlace(id) {
  const files = me.api('sessions', id, 'files')
  const at = (parts, path, more = {}) => [files, ...parts].join('/') + query({ path, ...more })
  return {
    key: `session ${id}`,
    root: '/',
    from: 'the session. Snapshots keep theirs.',
    async list(path, after, signal) {
      const { files, next } = await get(at([], path, { after, limit: PAGE }), { signal })
      return { entries: files, next }
    },
    address: (entry) => at(['content'], entry.path),
    /** What is there is replaced. */
    write: (path, file, options) => send('POST', at([], path), file, options),
    makeDirectory: (path) => put(at(['directory'], path)),
    remove: (entry) => del(at([], entry.path)),
  }
}

/** `root`: what to call it where it is, else by its name. */
export function volumePlace({ id, name }, root = name) {
  const volume = me.api('volumes', id)
  const at = (parts, of, more = {}) => [volume, 'files', ...parts].join('/') + query({ ...of, ...more })
  // A name that is no text has its bytes beside it.
  const of = ({ path, pathBytes }) => (pathBytes ? { pathBytes } : { path })
  return {
    key: `volume ${id}`,
    root,
    from: 'the volume, for everybody who mounts it. No snapshot has it.',
    async list(path, after, signal) {
      const { file, entries, next } = await get(at([], { path }, { after, limit: PAGE }), { signal })
      return { type: file.type, entries: entries.map((each) => ({ ...each, name: nameOf(each.path) })), next }
    },
    address: (entry) => at(['content'], of(entry)),
    /** What is there is replaced only if that is said. */
    async write(path, file, { replace, ...options }) {
      await requireRoom(volume, file, options.signal)
      return send('PUT', at(['content'], { path }, { overwrite: replace || '' }), file, options)
    },
    makeDirectory: (path) => post(at(['directory'], { path })),
    move: (entry, to, replace) => post(at(['move'], of(entry)), { to, ...(replace ? { overwrite: true } : {}) }),
    remove: (entry) => del(at([], of(entry), { recursive: entry.type === 'directory' || '' })),
  }
}

/** A browser hears of a refusal only when it has sent all: what cannot fit is not sent. */
async function requireRoom(volume, file, signal) {
  if (file.size < LARGE) {
    return
  }
  const { availableBytes } = await get(volume, { signal })
  if (file.size > availableBytes) {
    throw new Problem(409, { reason: 'volume_full', detail: `The volume is full for it: ${bytes(availableBytes)} are free. Remove something, or have its limit raised.` })
  }
}

/** The last name of a path. */
export const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1)

export const below = (directory, name) => (directory === '/' ? `/${name}` : `${directory}/${name}`)

export const above = (path) => path.slice(0, path.lastIndexOf('/')) || '/'
