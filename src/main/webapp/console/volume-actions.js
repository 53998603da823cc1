// What can be done with a volume, wherever it is shown; each asks first where something is lost.
import { html, nothing } from 'lit'
import { copy } from './copy.js'
import { ask } from './dialog.js'
import { del, get, patch, post } from './http.js'
import { me } from './me.js'
import { toast, toastProblem } from './toast.js'
import { sandbox } from './volume-words.js'
import { bytes, count, icon, shortId } from './words.js'

const MIB = 2 ** 20
const GIB = 2 ** 30
const UNITS = [
  [MIB, 'MiB'],
  [GIB, 'GiB'],
]
const MOST_NAMED = 12

export const mayManage = () => me.can('sandboxes:manage')
export const mayUse = () => me.can('sandboxes:use')

/** `again` when it was changed, `gone` when it is deleted. */
export function menu(volume, again, gone) {
  const then = (act) => () => act(volume).then((done) => done && again())
  return [
    ...(mayManage()
      ? [
          { label: 'Raise limit…', icon: 'limits', run: then(raise) },
          { label: 'Note…', icon: 'audit', run: then(annotate) },
          '-',
        ]
      : []),
    { label: 'Copy ID', icon: 'copy', run: () => copy(volume.id, 'ID') },
    { label: 'Copy name', icon: 'copy', run: () => copy(volume.name, 'Name') },
    ...(mayManage() ? ['-', { label: 'Delete volume…', icon: 'trash', danger: true, run: () => remove(volume).then((done) => done && gone()) }] : []),
  ]
}

/** Gives the volume, or undefined. `quota`: what the project's come to. */
export function create(quota) {
  const asked = { name: '', size: '', unit: GIB, note: '' }
  const left = quota ? Math.max(0, quota.bytesLimit - quota.bytes) : null
  return ask({
    title: 'Create volume',
    action: 'Create volume',
    body: html`<div class="field"><label for="volume-name">Name</label>
        <input class="input mono" id="volume-name" autofocus required maxlength="64" autocomplete="off" spellcheck="false" placeholder="datasets" @input=${(event) => (asked.name = event.target.value)}>
        <span class="hint">Letters, digits, - and _. It stays, and programs name the volume by it.</span></div>
      ${size(asked, 'Limit', 'The usual one', `${left === null ? '' : `The project has ${bytes(left)} left to give. `}It can be raised later and is not lowered.`)}
      ${note(asked)}`,
    act: async () => {
      if (!asked.name.trim()) {
        throw new Error('Give the volume a name.')
      }
      const limitBytes = read(asked)
      const made = await post(me.api('volumes'), { name: asked.name.trim(), ...(limitBytes ? { limitBytes } : {}), ...(asked.note.trim() ? { note: asked.note.trim() } : {}) })
      toast(`Volume ${made.name} is there`)
      return made
    },
  })
}

function raise(volume) {
  const unit = volume.limitBytes >= GIB ? GIB : MIB
  const asked = { size: String(Number((volume.limitBytes / unit).toFixed(3))), unit }
  const before = asked.size
  return ask({
    title: html`Raise the limit of ${volume.name}`,
    action: 'Raise limit',
    body: html`${size(asked, 'Limit', '', `It is ${bytes(volume.limitBytes)} now. It can be raised while no sandbox mounts the volume, and is not lowered.`)}
      ${mountedNotice(volume, 'Its limit can be raised when these have ended, the paused ones too')}`,
    act: async () => {
      const limitBytes = read(asked)
      if (!limitBytes || (asked.size === before && asked.unit === unit)) {
        throw new Error(`Give a limit above ${bytes(volume.limitBytes)}.`)
      }
      const changed = await patch(address(volume), { limitBytes })
      toast(`${changed.name} may have ${bytes(changed.limitBytes)}`)
      return changed
    },
  })
}

function annotate(volume) {
  const asked = { note: volume.note ?? '' }
  return ask({
    title: html`Note of ${volume.name}`,
    action: 'Save',
    body: note(asked, true),
    act: async () => {
      const changed = await patch(address(volume), { note: asked.note.trim() || null })
      toast(`The note of ${changed.name} is saved`)
      return changed
    },
  })
}

/** After a look at what goes with it and who uses it. */
async function remove(listed) {
  let volume
  try {
    volume = await get(address(listed))
  } catch (problem) {
    toastProblem(problem)
    return undefined
  }
  return ask({
    title: html`Delete ${volume.name}`,
    action: 'Delete volume',
    danger: true,
    body: html`<p>Volume <strong>${volume.name}</strong> and ${volume.usedBytes === undefined ? 'all that is in it go' : html`the ${bytes(volume.usedBytes)} that are in it go`}. No snapshot has these files, and they cannot be brought back. Its name is free at once.</p>
      ${mountedNotice(volume, 'It stays until these have ended, the paused ones too')}
      ${volume.snapshotCount
        ? html`<div class="notice waiting">${icon('waiting')}<div class="grow"><p><strong>${count(volume.snapshotCount, 'snapshot mounts', 'snapshots mount')} it</strong> and can then not be restored any more:</p>
            <ul class="plain">${volume.snapshots.slice(0, MOST_NAMED).map((id) => html`<li>${snapshot(id)}</li>`)}${more(volume.snapshotCount)}</ul></div></div>`
        : nothing}`,
    act: async () => {
      await del(address(volume))
      toast(`Volume ${volume.name} is deleted`)
    },
  })
}

const address = (volume) => me.api('volumes', volume.id)

const snapshot = (id) => (me.can('snapshots:read') ? html`<a class="mono block target" href="/console/snapshots/${id}" target="_blank" rel="noopener">${shortId(id)}</a>` : html`<span class="mono">${shortId(id)}</span>`)

const more = (total) => (total > MOST_NAMED ? html`<li class="soft">and ${total - MOST_NAMED} more</li>` : nothing)

function mountedNotice({ mountedBy }, words) {
  return mountedBy.length
    ? html`<div class="notice waiting">${icon('waiting')}<div class="grow"><p><strong>${count(mountedBy.length, 'sandbox mounts', 'sandboxes mount')} it.</strong> ${words}:</p>
        <ul class="plain">${mountedBy.slice(0, MOST_NAMED).map((id) => html`<li>${sandbox(id, { apart: true })}</li>`)}${more(mountedBy.length)}</ul></div></div>`
    : nothing
}

// ---- Fields

function size(asked, label, placeholder, hint) {
  return html`<div class="field"><label for="volume-size">${label}</label>
    <div class="row"><input class="input" id="volume-size" inputmode="decimal" autocomplete="off" placeholder=${placeholder} .value=${asked.size} @input=${(event) => (asked.size = event.target.value)}>
      <select class="select unit" aria-label="Unit of the limit" @change=${(event) => (asked.unit = Number(event.target.value))}>${UNITS.map(([value, word]) => html`<option value=${value} ?selected=${value === asked.unit}>${word}</option>`)}</select></div>
    <span class="hint">${hint}</span></div>`
}

function note(asked, first = false) {
  return html`<div class="field"><label for="volume-note">Note${first ? nothing : html` <span class="soft">(optional)</span>`}</label>
    <textarea class="input" id="volume-note" maxlength="1000" ?autofocus=${first} .value=${asked.note} @input=${(event) => (asked.note = event.target.value)}></textarea></div>`
}

/** In bytes; 0 where nothing is said. */
function read({ size: text, unit }) {
  const value = Number(text.trim())
  if (text.trim() && (!Number.isFinite(value) || value <= 0)) {
    throw new Error('The limit is a number above 0.')
  }
  return Math.round(value * unit)
}
