// How volumes are written, wherever they are spoken of.
import { html, nothing } from 'lit'
import { me } from './me.js'
import { bytes, icon, shortId } from './words.js'

const NEARLY = 0.75
const FULL = 0.9
const MOST_NAMED = 2

/** Mounts of a sandbox or a snapshot, each with the way to its volume, `apart` in a tab of its own; null if there are none. */
export const mounted = (mounts, { apart = false } = {}) =>
  mounts?.length
    ? mounts.map((each) => html`<span class="block"><a href="/console/volumes/${each.volumeId}" target=${apart ? '_blank' : nothing} rel=${apart ? 'noopener' : nothing}>${each.name}</a> at <span class="mono">${each.path}</span></span>`)
    : null

/** How much of its limit is used; a worker that cannot be asked cannot say. */
export function room({ usedBytes, availableBytes, limitBytes, name }) {
  if (usedBytes === undefined) {
    return html`<span class="soft">unknown, of ${bytes(limitBytes)}</span>`
  }
  const total = usedBytes + availableBytes
  const part = total ? usedBytes / total : 0
  const meaning = part > FULL ? 'failed' : part > NEARLY ? 'waiting' : ''
  return html`<span class="room"><progress class="meter ${meaning}" max="1" .value=${part} aria-label="${name} is ${Math.round(part * 100)} % full"></progress>
    <span>${meaning ? html`<span class=${meaning}>${icon(meaning)}</span>` : nothing}${bytes(usedBytes)} <span class="soft">of ${bytes(limitBytes)}</span></span></span>`
}

/** The worker that has its files, and whether they can be had. */
export const home = ({ worker, usedBytes }) =>
  html`<span class="mono">${worker}</span>${usedBytes === undefined
    ? html`<br> <span class="badge waiting" title="This server cannot look into it: its worker is another one, or cannot open it now.">${icon('waiting')}Not reached</span>`
    : nothing}`

/** The sandboxes that mount it. */
export function users({ mountedBy }) {
  if (!mountedBy.length) {
    return html`<span class="soft">nothing</span>`
  }
  const rest = mountedBy.length - MOST_NAMED
  return html`${mountedBy.slice(0, MOST_NAMED).map((id) => sandbox(id))}${rest > 0 ? html`<span class="soft block" title=${mountedBy.join(', ')}>and ${rest} more</span>` : nothing}`
}

/** A sandbox with the way to it, `apart` in a tab of its own. */
export const sandbox = (id, { apart = false } = {}) =>
  me.can('sandboxes:use')
    ? html`<a class="mono block target" href="/console/sandboxes?search=${id}" title=${id} target=${apart ? '_blank' : nothing} rel=${apart ? 'noopener' : nothing}>${shortId(id)}</a>`
    : html`<span class="mono block" title=${id}>${shortId(id)}</span>`
