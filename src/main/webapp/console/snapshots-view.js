// Parts of the Snapshots page that only draw: what is there instead of a list, paging, and where to go on.
import { html, nothing } from 'lit'
import { choice, step } from './controls.js'
import { me } from './me.js'
import { pageState } from './page.js'
import { router } from './router.js'
import { NUMBERED, SIZES, STATUSES } from './snapshots-query.js'
import { icon, number } from './words.js'

export function noneYet() {
  return pageState({
    symbol: 'snapshots',
    role: 'status',
    title: 'No snapshots yet',
    text: html`Project <strong>${me.project.name}</strong> has no saved state. Run code in the Workbench and press <em>Save</em>, or save a sandbox with the SDK:
      <code>sandbox.createSnapshot()</code>.`,
    actions: html`<a class="button primary" href="/console/workbench">${icon('workbench')}Save a Workbench session</a>`,
  })
}

export function noMatch(now, clear) {
  const status = STATUSES.find(([word]) => word === now.status)[1].toLowerCase()
  return pageState({
    symbol: 'search',
    role: 'status',
    title: 'No snapshots match',
    text: html`Nothing in project <strong>${me.project.name}</strong>${now.search ? html` has “${now.search}” in its ID, upload ID or name` : nothing}${now.status ? html`${now.search ? ' and' : ''} is ${status}` : nothing}.`,
    actions: html`<button class="button primary" @click=${clear}>Clear search and filter</button>`,
  })
}

export function pager(now, answer, change) {
  const { snapshots, total, totalIsExact, next } = answer
  const first = (now.page - 1) * now.size + 1
  const until = first + snapshots.length - 1
  const numbered = !now.after && (now.page + 1) * now.size <= NUMBERED
  const forward = !next ? null : numbered ? router.with({ page: now.page + 1, after: '' }) : router.with({ after: next, page: '' })
  const back = now.after ? 'history' : now.page > 1 ? router.with({ page: now.page === 2 ? '' : now.page - 1 }) : null
  return html`<nav class="pager" aria-label="Pages">
    <span class="soft">${now.after ? `Behind the first ${number(NUMBERED)}` : html`<strong>${number(first)}–${number(until)}</strong> of ${totalIsExact === false ? 'more than ' : ''}${number(total ?? until)}`}</span>
    <span class="grow"></span>
    ${choice('Rows per page', SIZES.map((each) => [String(each), String(each)]), String(now.size), (size) => change({ size: Number(size) === SIZES[0] ? '' : size }))}
    ${step('Previous', back)} ${step('Next', forward)}
  </nav>`
}

export function onward() {
  return html`<nav class="onward" aria-label="Next steps">
    ${me.can('sandboxes:use') ? html`<a href="/console/workbench">Run code in the Workbench</a>` : nothing}
    <a href="/console/volumes">Share files between sessions</a>
    <a href="/console/help/load-a-saved-session">How loading a saved session works</a>
  </nav>`
}
