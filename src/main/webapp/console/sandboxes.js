// The Sandboxes page: what runs and what is paused, what it uses, and how to go on with it.
import { html, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { choice, searchField, step } from './controls.js'
import { get, query } from './http.js'
import { later } from './later.js'
import { live } from './live.js'
import { failedState, Page, pageHead, pageState } from './page.js'
import { router } from './router.js'
import { me } from './me.js'
import { columns, row } from './sandbox-row.js'
import { icon, number } from './words.js'

const TYPING = 250
const NEWS = 300
const USAGE = 10_000
const PROGRESS = 2_000
/** Without the stream of events the page looks by itself. */
const UNTOLD = 5_000
const TOLD = 60_000
const MINUTES = 15
const SIZES = [25, 50, 100]

const STATES = [
  ['', 'All'],
  ['running', 'Running'],
  ['paused', 'Paused'],
]

const SORTS = [
  ['created-desc', 'Created, newest'],
  ['created-asc', 'Created, oldest'],
  ['end-asc', 'Time left, shortest'],
  ['end-desc', 'Time left, longest'],
]

/** What the address says, with what is meant where it says nothing. */
function asked(route) {
  const of = (name) => route.query.get(name) ?? ''
  const one = (name, words) => (words.some(([word]) => word === of(name)) ? of(name) : words[0][0])
  const size = Number(of('size'))
  return {
    search: of('search'),
    state: one('state', STATES),
    sort: one('sort', SORTS),
    page: Math.max(1, Math.floor(Number(of('page'))) || 1),
    size: SIZES.includes(size) ? size : SIZES[0],
  }
}

/** Events come to those who may read what happened. */
const isTold = () => me.can('snapshots:read', 'project:admin', 'service:admin')

export default class Sandboxes extends Page {
  static properties = {
    answer: { state: true },
    problem: { state: true },
    busy: { state: true },
    operations: { state: true },
    templates: { state: true },
    usage: { state: true },
    typed: { state: true },
  }

  constructor() {
    super()
    this.operations = new Map()
    this.templates = new Map()
  }

  #listeners = [
    ['event', (event) => ['sandbox', 'capture'].includes(event.detail.subject.kind) && this.#soon()],
    ['gap', () => this.#soon()],
  ]

  /** Many events are one look. */
  #soon = later(NEWS, () => this.isConnected && this.load())
  #look = later(isTold() ? TOLD : UNTOLD, () => this.isConnected && this.load())
  #lookAtUsage = later(USAGE, () => this.isConnected && this.#readUsage())
  #lookAtProgress = later(PROGRESS, () => this.isConnected && this.#readProgress())
  #find = later(TYPING, (text) => this.#search(text.trim()))
  #asking
  #shown

  connectedCallback() {
    super.connectedCallback()
    this.#listeners.forEach(([type, listener]) => live.addEventListener(type, listener))
    get(me.api('templates')).then(
      ({ templates }) => (this.templates = new Map(templates.map((each) => [each.id, each.name ?? each.id]))),
      () => {}, // a template's ID stands there instead
    )
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    this.#listeners.forEach(([type, listener]) => live.removeEventListener(type, listener))
    ;[this.#soon, this.#look, this.#lookAtUsage, this.#lookAtProgress, this.#find].forEach((each) => each.stop())
    this.#asking?.abort()
  }

  willUpdate(changed) {
    if (!changed.has('route')) {
      return
    }
    const key = JSON.stringify([me.project.id, asked(this.route)])
    if (key !== this.#shown) {
      this.#shown = key
      this.typed = undefined
      this.load()
    }
  }

  // ---- Reading

  load = async () => {
    this.#asking?.abort()
    const asking = (this.#asking = new AbortController())
    const { search, state, sort, page, size } = asked(this.route)
    const [key, direction] = sort.split('-')
    this.busy = true
    try {
      const answer = await get(me.api('sandboxes') + query({ search, state, sort: key, direction, page, limit: size }), { signal: asking.signal })
      const last = Math.max(1, Math.ceil(answer.total / size))
      if (!answer.sandboxes.length && page > last) {
        router.change({ page: last === 1 ? '' : last }, { replace: true })
        return
      }
      this.answer = answer
      this.problem = null
      this.#readUsage()
      this.#readProgress()
    } catch (problem) {
      if (problem.name === 'AbortError') {
        return
      }
      this.problem = problem
    }
    if (asking === this.#asking) {
      this.busy = false
      this.#look()
    }
  }

  async #readUsage() {
    this.#lookAtUsage.stop()
    const running = this.answer.sandboxes.filter((each) => each.state !== 'paused').map((each) => each.id)
    if (!running.length) {
      this.usage = null
      return
    }
    try {
      const usage = await get(`${me.api('usage')}?${new URLSearchParams([['minutes', MINUTES], ...running.map((id) => ['sandbox', id])])}`)
      this.usage = { ...usage, series: new Map(usage.sandboxes.map((each) => [each.id, each])) }
    } catch {
      // the plots stay as they are; the next look may do better
    }
    this.#lookAtUsage()
  }

  /** How far captures are, for as long as there are any. */
  async #readProgress() {
    this.#lookAtProgress.stop()
    if (!this.answer.sandboxes.some((each) => each.uploadId)) {
      return
    }
    try {
      const { operations } = await get(me.api('operations') + query({ state: 'running', limit: 100 }))
      this.operations = new Map(operations.map((each) => [each.uploadId, each]))
    } catch {
      // the badge says what is done, if not how far
    }
    this.#lookAtProgress()
  }

  /** What was just asked for is shown at once; the next look says how it really is. */
  pretend(sandbox, state) {
    this.answer = { ...this.answer, sandboxes: this.answer.sandboxes.map((each) => (each.id === sandbox.id ? { ...each, state } : each)) }
  }

  // ---- What is chosen

  #change(values) {
    router.change({ page: '', ...values })
  }

  #onSearch = (text) => {
    this.typed = text
    this.#find(text)
  }

  #search(text) {
    const now = asked(this.route).search
    if (text !== now) {
      router.change({ page: '', search: text }, { replace: now !== '' && text !== '' })
    }
  }

  clear = () => {
    this.#find.stop()
    this.typed = undefined
    this.#change({ search: '', state: '' })
    this.querySelector('#search')?.focus()
  }

  sortBy(key) {
    const [usual, other] = SORTS.map(([word]) => word).filter((word) => word.startsWith(key))
    const next = asked(this.route).sort === usual ? other : usual
    this.#change({ sort: next === SORTS[0][0] ? '' : next })
  }

  // ---- Drawing

  render() {
    const now = asked(this.route)
    return html`${pageHead({
        title: 'Sandboxes',
        help: 'What runs and what is paused. Capture keeps a state, pause lets it go on later.',
        liveDot: isTold(),
        actions: html`<a class="button primary" href="/console/workbench">${icon('workbench')}New session</a>`,
      })}
      ${this.#toolbar(now)} ${this.#body(now)}`
  }

  #toolbar(now) {
    return html`<form class="toolbar" role="search" aria-label="Sandboxes" @submit=${(event) => event.preventDefault()}>
      ${searchField({ label: 'Search sandboxes', placeholder: 'Search ID, template, snapshot ID or label', text: this.typed ?? now.search, typed: this.#onSearch })}
      ${choice('State', STATES, now.state, (state) => this.#change({ state }))}
      ${choice('Sort', SORTS, now.sort, (sort) => this.#change({ sort: sort === SORTS[0][0] ? '' : sort }))}
    </form>`
  }

  #body(now) {
    if (this.problem && !this.answer) {
      return this.problem.status === 403
        ? pageState({ symbol: 'keys', title: 'You may not list these sandboxes', text: this.problem.message })
        : failedState('The sandboxes could not be read', this.problem, this.load)
    }
    if (!this.answer) {
      return html`<div aria-busy="true">${pageState({ symbol: 'spinner', title: 'Loading sandboxes', role: 'status' })}</div>`
    }
    const stale = this.problem
      ? html`<div class="notice failed band" role="alert">${icon('failed')}<p class="grow">${this.problem.message} What is shown may be old.</p>
          <button class="button small" @click=${this.load}>Try again</button></div>`
      : nothing
    if (!this.answer.sandboxes.length) {
      return html`${stale}${now.search || now.state ? this.#noMatch(now) : this.#noneYet()}`
    }
    return html`${stale}<div aria-busy=${this.busy ? 'true' : 'false'} class="table-frame"><table class="sandboxes" aria-label="Sandboxes">
        <thead>${columns(this, now)}</thead>
        <tbody>${repeat(this.answer.sandboxes, (each) => each.id, (each) => row(this, each))}</tbody>
      </table></div>
      ${this.#pager(now)}`
  }

  #noneYet() {
    return pageState({
      symbol: 'sandboxes',
      role: 'status',
      title: 'Nothing runs',
      text: html`Project <strong>${me.project.name}</strong> has no sandbox that runs or is paused. Start one in the Workbench, or with the SDK: <code>Sandbox.create()</code>.`,
      actions: html`<a class="button primary" href="/console/workbench">${icon('workbench')}Start a session</a>
        ${me.can('snapshots:read') ? html`<a class="button" href="/console/snapshots">Go on from a snapshot</a>` : nothing}`,
    })
  }

  #noMatch(now) {
    return pageState({
      symbol: 'search',
      role: 'status',
      title: 'No sandboxes match',
      text: html`Nothing in project <strong>${me.project.name}</strong>${now.state ? html` that is ${now.state}` : nothing}${now.search ? html` has “${now.search}” in its ID, template, snapshot ID or labels` : nothing}.`,
      actions: html`<button class="button primary" @click=${this.clear}>Clear search and filter</button>`,
    })
  }

  #pager(now) {
    const { sandboxes, total } = this.answer
    const first = (now.page - 1) * now.size + 1
    const until = first + sandboxes.length - 1
    return html`<nav class="pager" aria-label="Pages">
      <span class="soft"><strong>${number(first)}–${number(until)}</strong> of ${number(total)}</span>
      <span class="grow"></span>
      ${choice('Rows per page', SIZES.map((each) => [String(each), String(each)]), String(now.size), (size) => this.#change({ size: Number(size) === SIZES[0] ? '' : size }))}
      ${step('Previous', now.page > 1 ? router.with({ page: now.page === 2 ? '' : now.page - 1 }) : null)}
      ${step('Next', until < total ? router.with({ page: now.page + 1 }) : null)}
    </nav>`
  }
}
customElements.define('hf-sandboxes', Sandboxes)
