// One snapshot as a row and as a card: the same facts and the same actions.
import { html, nothing } from 'lit'
import { copied } from './copy.js'
import { openMenu } from './menu.js'
import * as actions from './snapshot-actions.js'
import { trashControls } from './snapshot-trash.js'
import { bytes, count, icon, shortId, when } from './words.js'

/** The status in words, with its meaning. */
export function status(snapshot, operation) {
  switch (snapshot.status) {
    case 'saved':
      return { meaning: 'saved', symbol: 'done', text: 'Saved' }
    case 'uploads':
      return { meaning: 'progress', symbol: 'progress', text: phase(operation) }
    case 'trashed':
      return { meaning: 'waiting', symbol: 'trash', text: 'In the trash' }
    default:
      return snapshot.removalReason === 'failed'
        ? { meaning: 'failed', symbol: 'failed', text: 'Failed, cleanup pending' }
        : { meaning: 'waiting', symbol: 'waiting', text: 'Cleanup pending' }
  }
}

function phase(operation) {
  if (!operation) {
    return 'Uploading'
  }
  const { phase: word, bytesDone, bytesExpected } = operation
  if (word === 'sealing' && bytesExpected) {
    return `Sealing ${Math.min(100, Math.floor((100 * bytesDone) / bytesExpected))} %`
  }
  return { accepted: 'Waiting to start', freezing: 'Freezing', sealing: 'Sealing' }[word] ?? 'Uploading'
}

export function statusBadge(snapshot, operation) {
  const { meaning, symbol, text } = status(snapshot, operation)
  return html`<span class="badge ${meaning}">${icon(symbol)}${text}</span>`
}

const VERDICTS = {
  restorable: ['', 'Restorable'],
  restore_failed: ['waiting', 'Last restore failed'],
  expired: ['waiting', 'Expired'],
  incompatible_runtime: ['failed', 'Other runtime'],
  missing_part: ['failed', 'Part missing'],
  corrupt_part: ['failed', 'Part corrupt'],
  no_worker: ['waiting', 'No worker'],
  volume_deleted: ['failed', 'Volume deleted'],
  volume_elsewhere: ['waiting', 'Volume elsewhere'],
}

export function verdict(snapshot) {
  const [meaning, text] = VERDICTS[snapshot.verdict.reason] ?? [null]
  if (!text) {
    return html`<span class="soft" aria-label="none">–</span>`
  }
  return html`<span class="verdict ${meaning}" title=${snapshot.verdict.detail}>${meaning ? icon(meaning === 'failed' ? 'failed' : 'waiting') : nothing}${text}</span>`
}

export const title = (snapshot) => snapshot.names[0] ?? snapshot.formerName ?? null

function name(page, snapshot) {
  const called = title(snapshot)
  return html`<span class="name">
    <a class="cut" href="/console/snapshots/${snapshot.id}" @click=${(event) => openBeside(event, page, snapshot)}>${called
      ? html`<span class=${snapshot.names.length ? '' : 'former'}>${called}</span>`
      : snapshot.status === 'uploads'
        ? html`<span class="soft">Upload <span class="mono">${shortId(snapshot.uploadId)}</span></span>`
        : html`<span class="soft">Unnamed</span>`}</a>
    ${snapshot.pin ? html`<span class="mark" title="Pinned: ${snapshot.pin.reason}">${icon('pin')}<span class="visually-hidden">Pinned</span></span>` : nothing}
    ${snapshot.kind === 'auto' ? html`<span class="badge">Automatic</span>` : nothing}
  </span>`
}

/** A click opens it beside the list; one with Ctrl or the middle button as a page of its own. */
function openBeside(event, page, snapshot) {
  if (event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
    event.preventDefault()
    event.stopPropagation()
    page.openPanel(snapshot.id)
  }
}

function onRow(event, page, snapshot) {
  if (!event.target.closest('a, button, input, label, .tipped') && !getSelection().toString()) {
    page.openPanel(snapshot.id)
  }
}

const identity = (snapshot) => copied(snapshot.id, 'ID')

const size = (snapshot) =>
  snapshot.storedBytes || snapshot.status !== 'uploads'
    ? html`<span>${bytes(snapshot.storedBytes)}</span>${snapshot.logicalBytes > snapshot.storedBytes ? html`<br> <span class="soft small">of ${bytes(snapshot.logicalBytes)}</span>` : nothing}`
    : html`<span class="soft" aria-label="not known yet">–</span>`

const expiry = (snapshot) =>
  snapshot.verdict.reason === 'expired'
    ? html`<span class="soft">expired</span> ${when(snapshot.removedAt, { end: true })}`
    : snapshot.pin && !snapshot.expiresAt
      ? html`<span class="soft">while pinned</span>`
      : snapshot.status === 'trashed'
        ? html`<span class="soft">gone</span> ${when(snapshot.trashedUntil, { end: true })}`
        : when(snapshot.status === 'saved' ? snapshot.expiresAt : null, { end: true })

const use = (snapshot) =>
  snapshot.occupants.length
    ? html`<span title=${snapshot.occupants.join(', ')}>${snapshot.occupants.length}<span class="visually-hidden"> ${snapshot.occupants.length === 1 ? 'sandbox' : 'sandboxes'}</span></span>`
    : html`<span class="soft" aria-label="not in use">–</span>`

function tick(page, snapshot) {
  const may = actions.mayDelete(snapshot)
  return html`<input class="check" type="checkbox" aria-label="Select ${title(snapshot) ?? snapshot.id}" ?disabled=${!may}
    .checked=${page.selected.has(snapshot.id)} @change=${(event) => page.select([snapshot.id], event.target.checked)}>`
}

/** What can be opened has the way there and a menu; what cannot has a Delete button, or the two ways out of the trash, for those who may. */
function controls(page, snapshot) {
  if (snapshot.status !== 'saved') {
    if (!actions.mayManage()) {
      return nothing
    }
    return snapshot.status === 'trashed'
      ? trashControls(page, snapshot)
      : html`<button class="button small danger" aria-label="Delete ${title(snapshot) ?? snapshot.id}" @click=${() => actions.discard(page, snapshot)}>Delete</button>`
  }
  return html`${actions.mayUse() ? html`<a class="button small" href="/console/workbench?load=${snapshot.id}">Open in Workbench</a>` : nothing}
    <button class="button quiet small square" aria-haspopup="menu" aria-expanded="false" aria-label="More for ${title(snapshot) ?? snapshot.id}" title="More"
      @click=${(event) => openMenu(event.currentTarget, actions.menu(page, snapshot))}>${icon('more')}</button>`
}

function failure(page, snapshot) {
  const failed = page.failures.get(snapshot.id)
  if (failed) {
    return html`<p class="failure" role="status">${icon('failed')}<span>Not deleted: ${failed.detail ?? failed.reason ?? 'it failed.'}</span></p>`
  }
  const error = snapshot.cleanup?.lastError
  return error ? html`<p class="failure waiting">${icon("waiting")}<span>Cleanup has failed ${count(snapshot.cleanup.attempts, 'time')} and goes on: ${error}</span></p>` : nothing
}

const COLUMNS = [
  ['name', 'Name', 'name'],
  ['status', 'Status'],
  ['size', 'Size', 'size'],
  ['created', 'Created', 'created'],
  ['expires', 'Expires', 'expiry'],
  ['use', 'In use'],
  ['fit', 'Verdict'],
]

/** The headings; those that sort say how. */
export function columns(page, now) {
  const [key, direction] = now.sort.split('-')
  return html`<tr>
    ${actions.mayManage() ? html`<td class="tick"></td>` : nothing}
    ${COLUMNS.map(([style, label, sort]) =>
      sort
        ? html`<th scope="col" class=${style} aria-sort=${sort === key ? (direction === 'asc' ? 'ascending' : 'descending') : nothing}>
            <button @click=${() => page.sortBy(sort)}>${label}${sort === key ? icon(direction === 'asc' ? 'up' : 'down') : nothing}</button></th>`
        : html`<th scope="col" class=${style}>${label}</th>`,
    )}
    <td class="act"></td>
  </tr>`
}

export function row(page, snapshot, now) {
  return html`<tr data-id=${snapshot.id} class="${page.failures.has(snapshot.id) ? 'broken' : ''} ${now.open === snapshot.id ? 'shown' : ''}"
      @click=${(event) => onRow(event, page, snapshot)}>
    ${actions.mayManage() ? html`<td class="tick">${tick(page, snapshot)}</td>` : nothing}
    <td class="name">${name(page, snapshot)}${identity(snapshot)}${failure(page, snapshot)}</td>
    <td class="status">${statusBadge(snapshot, page.operations.get(snapshot.uploadId))}</td>
    <td class="size">${size(snapshot)}</td>
    <td class="created">${when(snapshot.createdAt)}</td>
    <td class="expires">${expiry(snapshot)}</td>
    <td class="use">${use(snapshot)}</td>
    <td class="fit">${verdict(snapshot)}</td>
    <td class="act"><div class="row">${controls(page, snapshot)}</div></td>
  </tr>`
}

export function card(page, snapshot) {
  return html`<li class="card ${page.failures.has(snapshot.id) ? 'broken' : ''}" data-id=${snapshot.id} @click=${(event) => onRow(event, page, snapshot)}>
    <div class="row">${actions.mayManage() ? tick(page, snapshot) : nothing}<div class="grow">${name(page, snapshot)}</div>${statusBadge(snapshot, page.operations.get(snapshot.uploadId))}</div>
    ${identity(snapshot)}
    <dl>
      <div><dt>Size</dt><dd>${size(snapshot)}</dd></div>
      <div><dt>Created</dt><dd>${when(snapshot.createdAt)}</dd></div>
      <div><dt>Expires</dt><dd>${expiry(snapshot)}</dd></div>
      <div><dt>In use</dt><dd>${use(snapshot)}</dd></div>
    </dl>
    <div class="row">${snapshot.status === 'saved' ? verdict(snapshot) : nothing}<span class="grow"></span>${controls(page, snapshot)}</div>
    ${failure(page, snapshot)}
  </li>`
}
