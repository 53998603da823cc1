// A sandbox as a row of the list.
import { html, nothing } from 'lit'
import { copied } from './copy.js'
import { me } from './me.js'
import { openMenu } from './menu.js'
import * as actions from './sandbox-actions.js'
import { sparkline } from './sparkline.js'
import { bytes, count, duration, icon, shortId, when } from './words.js'
import './time-left.js'

const STATES = {
  starting: ['progress', 'progress', 'Starting'],
  running: ['saved', 'done', 'Running'],
  snapshotting: ['progress', 'capture', 'Capturing'],
  pausing: ['progress', 'progress', 'Pausing'],
  paused: ['waiting', 'pause', 'Paused'],
  resuming: ['progress', 'progress', 'Resuming'],
}

const PHASES = { accepted: 'Waiting to start', freezing: 'Freezing' }

/** The state in words; of a capture how far it is. */
function stateBadge(sandbox, operation) {
  const [meaning, symbol, text] = STATES[sandbox.state] ?? ['', 'info', sandbox.state]
  return html`<span class="badge ${meaning}">${icon(symbol)}${sandbox.state === 'snapshotting' ? progress(operation) ?? text : text}</span>`
}

function progress(operation) {
  if (operation?.phase === 'sealing' && operation.bytesExpected) {
    return `Sealing ${Math.min(100, Math.floor((100 * operation.bytesDone) / operation.bytesExpected))} %`
  }
  return PHASES[operation?.phase]
}

/** What it was made from. */
function origin(page, sandbox) {
  const { snapshotId, snapshotName, templateId } = sandbox
  if (!snapshotId) {
    return html`<span class="kind">${icon('cards')}<span class="visually-hidden">Template </span></span><span class="cut" title="Template ${templateId}">${page.templates.get(templateId) ?? templateId}</span>`
  }
  const text = snapshotName ?? html`<span class="mono">${shortId(snapshotId)}</span>`
  return html`<span class="kind">${icon('snapshots')}<span class="visually-hidden">Snapshot </span></span>${me.can('snapshots:read')
    ? html`<a class="cut" href="/console/snapshots/${snapshotId}" title="Snapshot ${snapshotName ?? snapshotId}">${text}</a>`
    : html`<span class="cut" title="Snapshot ${snapshotId}">${text}</span>`}`
}

/** How long it lives yet, and what comes then. */
function left(sandbox) {
  const { endAt, onTimeout, state, idleTimeout } = sandbox
  if (!endAt) {
    return html`<span class="soft">stands still</span>`
  }
  if (!['running', 'snapshotting'].includes(state)) {
    return html`<span class="soft" aria-label="none">–</span>`
  }
  return html`<hf-left .at=${endAt}></hf-left><br> <span class="soft small">then ${onTimeout === 'kill' ? 'ends' : 'pauses'}${idleTimeout ? `, idle ${duration(idleTimeout)}` : ''}</span>`
}

/** What it used lately, as a plot and in words. */
function used(page, sandbox, of, most, words) {
  const series = page.usage?.series.get(sandbox.id)
  const last = series?.points.at(-1)
  if (!last) {
    return html`<span class="soft" aria-label="not measured">–</span>`
  }
  return html`<span class="used">${sparkline(series.points.map((each) => ({ at: each.at, value: of(each) })), page.usage, most(series))}<span class="figure">${words(last, series)}</span></span>`
}

const processor = (page, sandbox) =>
  used(page, sandbox, (point) => point.cpuUsedPct, () => 100, (last, series) => html`${Math.round(last.cpuUsedPct)} %<span class="visually-hidden"> of ${count(series.cpuCount, 'processor')}</span>`)

const memory = (page, sandbox) =>
  used(page, sandbox, (point) => point.memUsed, (series) => series.memTotal, (last, series) => html`${bytes(last.memUsed)}<span class="visually-hidden"> of ${bytes(series.memTotal)}</span>`)

function controls(page, sandbox) {
  const name = actions.called(sandbox)
  return html`${sandbox.state === 'paused'
      ? html`<button class="button small" aria-label="Resume ${name}" @click=${() => actions.resume(page, sandbox)}>Resume</button>`
      : ['running', 'snapshotting'].includes(sandbox.state)
        ? html`<a class="button small" aria-label="Open ${name} in Workbench" href="/console/workbench?sandbox=${sandbox.id}">Open</a>`
        : nothing}
    <button class="button quiet small square" aria-haspopup="menu" aria-expanded="false" aria-label="More for ${name}" title="More"
      @click=${(event) => openMenu(event.currentTarget, actions.menu(page, sandbox))}>${icon('more')}</button>`
}

const COLUMNS = [
  ['name', 'Sandbox'],
  ['status', 'State'],
  ['from', 'Made from'],
  ['end', 'Time left', 'end'],
  ['cpu', 'CPU'],
  ['memory', 'Memory'],
  ['created', 'Created', 'created'],
]

/** The headings; those that sort say how. */
export function columns(page, now) {
  const [key, direction] = now.sort.split('-')
  return html`<tr>${COLUMNS.map(([style, label, sort]) =>
      sort
        ? html`<th scope="col" class=${style} aria-sort=${sort === key ? (direction === 'asc' ? 'ascending' : 'descending') : nothing}>
            <button @click=${() => page.sortBy(sort)}>${label}${sort === key ? icon(direction === 'asc' ? 'up' : 'down') : nothing}</button></th>`
        : html`<th scope="col" class=${style}>${label}</th>`,
    )}<td class="act"></td></tr>`
}

export function row(page, sandbox) {
  const label = actions.label(sandbox)
  return html`<tr data-id=${sandbox.id}>
    <td class="name">${label ? html`<span class="label cut">${label}</span>` : nothing}${copied(sandbox.id, 'ID', { cut: true })}
      ${sandbox.state === 'paused' && sandbox.detail ? html`<p class="failure" role="status">${icon('failed')}<span>Not resumed: ${sandbox.detail}</span></p>` : nothing}</td>
    <td class="status">${stateBadge(sandbox, page.operations.get(sandbox.uploadId))}</td>
    <td class="from"><span class="row">${origin(page, sandbox)}</span></td>
    <td class="end">${left(sandbox)}</td>
    <td class="cpu">${processor(page, sandbox)}</td>
    <td class="memory">${memory(page, sandbox)}</td>
    <td class="created">${when(sandbox.createdAt)}</td>
    <td class="act"><div class="row">${controls(page, sandbox)}</div></td>
  </tr>`
}
