// The Snapshots page: find a saved state, go on from it, remove what is no longer needed.
import { html, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { choice, searchField } from './controls.js'
import { get, query } from './http.js'
import { later } from './later.js'
import { live } from './live.js'
import { me } from './me.js'
import { failedState, Page, pageHead, pageState } from './page.js'
import { router } from './router.js'
import * as actions from './snapshot-actions.js'
import { card, columns, row } from './snapshot-row.js'
import { asked, LEAST_SEARCH, NUMBERED, SORTS, STATUSES } from './snapshots-query.js'
import { trashBand } from './snapshot-trash.js'
import { noMatch, noneYet, onward, pager } from './snapshots-view.js'
import { bytes, count, icon, number } from './words.js'
import './snapshot-panel.js'
import './storage-card.js'

const TYPING = 250
const NEWS = 400
const PROGRESS = 2_000

export default class Snapshots extends Page {
  static properties = {
    route: { attribute: false },
    answer: { state: true },
    problem: { state: true },
    busy: { state: true },
    storage: { state: true },
    project: { state: true },
    operations: { state: true },
    selected: { state: true },
    failures: { state: true },
    typed: { state: true },
  }

  constructor() {
    super()
    this.selected = new Set()
    this.failures = new Map()
    this.operations = new Map()
  }

  #listeners = [
    ['event', (event) => this.#onEvent(event.detail)],
    ['gap', () => this.#soon()],
  ]

  connectedCallback() {
    super.connectedCallback()
    this.#listeners.forEach(([type, listener]) => live.addEventListener(type, listener))
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    this.#listeners.forEach(([type, listener]) => live.removeEventListener(type, listener))
    ;[this.#soon, this.#lookAtProgress, this.#find].forEach((each) => each.stop())
    this.#asking?.abort()
  }

  /** Many events are one look. */
  #soon = later(NEWS, () => {
    if (!asked(this.route).alone) {
      this.load()
    }
    this.querySelector('hf-snapshot')?.load()
  })

  #lookAtProgress = later(PROGRESS, () => this.#readProgress())
  #find = later(TYPING, (text) => this.#search(text.trim()))
  #asking
  #shown

  willUpdate(changed) {
    if (!changed.has('route')) {
      return
    }
    const now = asked(this.route)
    const key = JSON.stringify([me.project.id, now.search, now.status, now.sort, now.page, now.size, now.after])
    if (this.typed !== undefined && this.typed === now.search) {
      this.typed = undefined
    }
    if (key !== this.#shown && !now.alone) {
      this.#shown = key
      this.typed = undefined
      this.selected = new Set()
      this.load()
    }
  }

  // ---- Reading

  async load() {
    this.#asking?.abort()
    const asking = (this.#asking = new AbortController())
    const { search, status, sort, page, size, after } = asked(this.route)
    const [key, direction] = sort.split('-')
    this.busy = true
    const filter = { search: search.length >= LEAST_SEARCH ? search : '', status: status || 'all', sort: key, direction, limit: size }
    try {
      this.#readProject(asking.signal)
      const answer = await get(me.api('snapshots') + query({ ...filter, ...(after ? { after } : { page }) }), { signal: asking.signal })
      const last = Math.max(1, Math.ceil(Math.min(answer.total ?? 0, NUMBERED) / size))
      if (!after && !answer.snapshots.length && page > last) {
        router.change({ page: last === 1 ? '' : last }, { replace: true })
        return
      }
      this.answer = after ? { ...answer, total: this.answer?.total, totalIsExact: this.answer?.totalIsExact } : answer
      this.problem = null
      const here = new Set(answer.snapshots.map((each) => each.id))
      this.selected = new Set([...this.selected].filter((id) => here.has(id)))
      this.#readProgress()
    } catch (problem) {
      if (problem.name === 'AbortError') {
        return
      }
      this.problem = problem
    }
    if (asking === this.#asking) {
      this.busy = false
    }
  }

  /** By itself, so that neither waits for the other; what was known stays if it cannot be read. */
  #readProject(signal) {
    for (const [part, address] of [['storage', me.api('storage')], ['project', me.api()]]) {
      get(address, { signal }).then((found) => (this[part] = found), () => {})
    }
  }

  /** Also one that is not kept any more, for as long as something lies in it. */
  get #hasTrash() {
    return this.project?.trashSeconds > 0 || this.storage?.trash.count > 0
  }

  /** How far captures are that are in the list, for as long as there are any. */
  async #readProgress() {
    this.#lookAtProgress.stop()
    if (!this.answer?.snapshots.some((each) => each.status === 'uploads')) {
      return
    }
    try {
      const { operations } = await get(me.api('operations') + query({ state: 'running', limit: 100 }))
      this.operations = new Map(operations.map((each) => [each.uploadId, each]))
    } catch {
      // the list stays as it is; the next try may do better
    }
    if (this.isConnected) {
      this.#lookAtProgress()
    }
  }

  #onEvent(event) {
    if (['snapshot', 'capture', 'quota'].includes(event.subject.kind) || /^sandbox\.(created|restored|ended)$/.test(event.type)) {
      this.#soon()
    }
  }

  // ---- What is chosen

  #change(values) {
    router.change({ page: '', after: '', ...values })
  }

  #onSearch = (text) => {
    this.typed = text
    this.#find(text)
  }

  #search(text) {
    const now = asked(this.route).search
    if ((text.length >= LEAST_SEARCH || text === '') && text !== now) {
      router.change({ page: '', after: '', search: text }, { replace: now !== '' && text !== '' })
    }
  }

  clear = () => {
    this.#find.stop()
    this.typed = undefined
    this.#change({ search: '', status: '' })
    this.querySelector('#search')?.focus()
  }

  sortBy(key) {
    const { sort } = asked(this.route)
    const usual = SORTS.find(([word]) => word.startsWith(key))[0]
    const other = SORTS.filter(([word]) => word.startsWith(key))[1][0]
    this.#change({ sort: sort === usual ? other : usual === SORTS[0][0] ? '' : usual })
  }

  select(ids, on) {
    const selected = new Set(this.selected)
    ids.forEach((id) => (on ? selected.add(id) : selected.delete(id)))
    this.selected = selected
  }

  openPanel(id) {
    router.change({ open: id }, { replace: Boolean(asked(this.route).open) })
  }

  closePanel = () => {
    const { open } = asked(this.route)
    router.change({ open: '', section: '' })
    this.updateComplete.then(() => this.querySelector(`[data-id="${open}"] .name a`)?.focus())
  }

  // ---- Deleting

  /** `remove` is what every element has already. */
  async deleteAll(snapshots) {
    this.project ??= await get(me.api()).catch(() => undefined)
    const trash = this.project?.trashSeconds
    const outcome = await actions.remove(snapshots, trash)
    if (!outcome) {
      return
    }
    const failures = new Map(this.failures)
    for (const each of outcome.items) {
      if (outcome.failed.includes(each.id)) {
        failures.set(each.id, each)
      } else {
        failures.delete(each.id)
      }
    }
    this.failures = failures
    // What failed stays ticked, and nothing else.
    this.selected = new Set((this.answer?.snapshots ?? []).map((each) => each.id).filter((id) => failures.has(id)))
    actions.tell(outcome, trash)
    if (!asked(this.route).alone) {
      this.load()
    }
    this.querySelector('hf-snapshot')?.load()
  }

  removeSelected = () => this.deleteAll(this.answer.snapshots.filter((each) => this.selected.has(each.id)))

  /** Only what still shows a failure, on this page and on others. */
  retryFailed = () => {
    const known = new Map(this.answer.snapshots.map((each) => [each.id, each]))
    this.deleteAll([...this.failures.keys()].map((id) => known.get(id) ?? { id, names: [], storedBytes: 0, occupants: [] }))
  }

  forgetFailures = () => {
    this.failures = new Map()
  }

  // ---- Drawing

  render() {
    const now = asked(this.route)
    if (now.alone) {
      return html`<hf-snapshot .reference=${now.open} .page=${this} alone></hf-snapshot>`
    }
    return html`${pageHead({
        title: 'Snapshots',
        help: html`Saved states of sandboxes. Open one to go on where it was. <a href="/console/help/load-a-saved-session">Load a saved session</a>`,
        liveDot: true,
        actions: html`<hf-storage-card .storage=${this.storage}></hf-storage-card>`,
      })}
      ${this.#toolbar(now)} ${this.#failed()} ${this.#body(now)} ${this.answer || this.problem ? onward() : nothing}
      ${now.open ? html`<hf-snapshot .reference=${now.open} .page=${this} .section=${this.route.query.get('section')}></hf-snapshot>` : nothing}`
  }

  #toolbar(now) {
    const text = this.typed ?? now.search
    const short = text.trim().length > 0 && text.trim().length < LEAST_SEARCH
    return html`<form class="toolbar" role="search" aria-label="Snapshots" @submit=${(event) => event.preventDefault()}>
      ${searchField({ label: 'Search snapshots', placeholder: 'Search ID, upload ID or name', text, typed: this.#onSearch, hint: short ? `${LEAST_SEARCH} characters or more` : '' })}
      ${choice('Status', STATUSES.filter(([word]) => word !== 'trashed' || word === now.status || this.#hasTrash), now.status, (status) => this.#change({ status }))}
      ${choice('Sort', SORTS, now.sort, (sort) => this.#change({ sort: sort === SORTS[0][0] ? '' : sort }))}
      <div class="segments" role="group" aria-label="View">
        ${[['list', 'List'], ['cards', 'Cards']].map(
          ([word, label]) => html`<button type="button" aria-pressed=${String(now.view === word)} @click=${() => router.change({ view: word === 'list' ? '' : word })}>${icon(word)}${label}</button>`,
        )}
      </div>
    </form>`
  }

  #failed() {
    if (!this.failures.size) {
      return nothing
    }
    return html`<div class="notice failed band" role="alert">
      ${icon('failed')}
      <p class="grow">${count(this.failures.size, 'snapshot')} could not be deleted. Each says why; a retry is for those only.</p>
      <button class="button small" @click=${this.retryFailed}>Retry failed</button>
      <button class="button small quiet" @click=${this.forgetFailures}>Dismiss</button>
    </div>`
  }

  #body(now) {
    if (this.problem && !this.answer) {
      return this.problem.status === 403
        ? pageState({ symbol: 'keys', title: 'You may not list these snapshots', text: this.problem.message })
        : failedState('The snapshots could not be read', this.problem, () => this.load())
    }
    if (!this.answer) {
      return html`<div aria-busy="true">${pageState({ symbol: 'spinner', title: 'Loading snapshots', role: 'status' })}</div>`
    }
    const stale = this.problem
      ? html`<div class="notice failed band" role="alert">${icon('failed')}<p class="grow">${this.problem.message} What is shown may be old.</p>
          <button class="button small" @click=${() => this.load()}>Try again</button></div>`
      : nothing
    if (!this.answer.snapshots.length) {
      return html`${stale}${now.search || now.status ? noMatch(now, this.clear) : noneYet()}`
    }
    return html`${stale}${this.#selection(now)}
      <div aria-busy=${this.busy ? 'true' : 'false'}>${now.view === 'cards' ? this.#cards() : this.#table(now)}</div>
      ${pager(now, this.answer, (values) => this.#change(values))}`
  }

  #selection(now) {
    if (now.status === 'trashed') {
      return trashBand(this)
    }
    if (!actions.mayManage()) {
      return nothing
    }
    const saved = this.answer.snapshots.filter((each) => each.status === 'saved').map((each) => each.id)
    const ticked = this.answer.snapshots.filter((each) => this.selected.has(each.id))
    const all = saved.length > 0 && saved.every((id) => this.selected.has(id))
    const size = ticked.reduce((sum, each) => sum + each.storedBytes, 0)
    return html`<div class="selection" role="group" aria-label="Selection">
      <label class="row"><input class="check" type="checkbox" .checked=${all} .indeterminate=${!all && ticked.length > 0} ?disabled=${!saved.length}
        @change=${(event) => this.select(saved, event.target.checked)}>Select all on this page</label>
      <span class="grow"></span>
      <span class="soft" aria-live="polite">${ticked.length ? `${number(ticked.length)} selected, ${bytes(size)}` : ''}</span>
      <button class="button danger small" ?disabled=${!ticked.length} @click=${this.removeSelected}>Delete selected</button>
    </div>`
  }

  #table(now) {
    return html`<div class="table-frame" tabindex="-1"><table class="snapshots" aria-label="Snapshots">
      <thead>${columns(this, now)}</thead>
      <tbody>${repeat(this.answer.snapshots, (each) => each.id, (each) => row(this, each, now))}</tbody>
    </table></div>`
  }

  #cards() {
    return html`<ul class="cards" aria-label="Snapshots">${repeat(this.answer.snapshots, (each) => each.id, (each) => card(this, each))}</ul>`
  }

}

customElements.define('hf-snapshots', Snapshots)
