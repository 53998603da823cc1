// The Audit page: who changed or was refused what, and whether the record of it is whole.
import { html, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { actor, isService, Listed, names, owned, pick, scopes, who } from './admin-parts.js'
import { entryPanel } from './audit-entry.js'
import { ACTION_CHOICES, actionWords, BREACHES, OUTCOMES } from './audit-words.js'
import { call, get, query } from './http.js'
import { later } from './later.js'
import { me } from './me.js'
import { openMenu } from './menu.js'
import { pageHead, pageState } from './page.js'
import { router } from './router.js'
import { toast, toastProblem } from './toast.js'
import { count, icon, number, shortId, when } from './words.js'

const SIZES = ['25', '50', '100']
const TYPING = 400
const HOUR = 3_600_000

const RANGES = [
  ['', 'Any time'],
  ['1h', 'Last hour', HOUR],
  ['24h', 'Last 24 hours', 24 * HOUR],
  ['7d', 'Last 7 days', 7 * 24 * HOUR],
  ['30d', 'Last 30 days', 30 * 24 * HOUR],
  ['own', 'From and to'],
]

const FILTERS = ['range', 'from', 'to', 'actor', 'action', 'object', 'outcome']
const NOTHING = Object.fromEntries([...FILTERS, 'after', 'open', 'at'].map((each) => [each, '']))

/** What the address asks for, as the API does. */
function filters({ query: asked }) {
  const of = (name) => asked.get(name) ?? ''
  const span = RANGES.find(([word]) => word === of('range'))?.[2]
  const moment = (text) => (Number.isNaN(Date.parse(text)) ? '' : new Date(text).toISOString())
  return {
    principal: of('actor'),
    action: of('action'),
    subject: of('object'),
    outcome: of('outcome'),
    ...(span ? { from: new Date(Date.now() - span).toISOString() } : { from: moment(of('from')), to: moment(of('to')) }),
  }
}

export default class Audit extends Listed {
  static properties = { chain: { state: true }, actors: { state: true }, entry: { state: true }, exporting: { state: true } }

  #typed = later(TYPING, (values) => this.change(values))

  disconnectedCallback() {
    super.disconnectedCallback()
    this.#typed.stop()
    removeEventListener('keydown', this.#onKey)
  }

  connectedCallback() {
    super.connectedCallback()
    addEventListener('keydown', this.#onKey)
  }

  #onKey = (event) => {
    if (event.key === 'Escape' && this.route.query.get('open') && !event.defaultPrevented && !document.querySelector('dialog[open], .menu')) {
      this.#close()
    }
  }

  asked() {
    const { query: asked } = this.route
    return JSON.stringify([me.project?.id, isService(this.route), ...[...FILTERS, 'after', 'size'].map((each) => asked.get(each))])
  }

  willUpdate(changed) {
    super.willUpdate(changed)
    if (changed.has('route') || changed.has('answer')) {
      this.#find()
    }
  }

  async read(signal) {
    const service = isService(this.route)
    const after = this.route.query.get('after')
    const [answer, chain, actors] = await Promise.all([
      get(owned(service, 'audit') + query({ ...filters(this.route), limit: this.#size(), after }), { signal }),
      get(owned(service, 'audit', 'chain'), { signal }).catch(() => null),
      names(service),
    ])
    this.chain = chain
    this.actors = actors
    return answer
  }

  /** The entry that the address names: of this page, or by its moment, so that a link to it always leads there. */
  async #find() {
    const { query: asked } = this.route
    const id = asked.get('open')
    const here = id && this.answer?.entries.find((each) => each.id === id)
    if (!id || here) {
      this.entry = here ?? null
      return
    }
    const at = Date.parse(asked.get('at') ?? '')
    if (!this.answer || Number.isNaN(at) || this.entry?.id === id) {
      return
    }
    const near = { from: new Date(at).toISOString(), to: new Date(at + 2).toISOString(), limit: 100 }
    const { entries } = await get(owned(isService(this.route), 'audit') + query(near)).catch(() => ({ entries: [] }))
    this.entry = entries.find((each) => each.id === id) ?? { id, gone: true }
  }

  #close = () => {
    const id = this.route.query.get('open')
    router.change({ open: '', at: '' })
    this.updateComplete.then(() => this.querySelector(`[data-id="${id}"] .main a`)?.focus())
  }

  #size() {
    const size = this.route.query.get('size')
    return SIZES.includes(size) ? size : SIZES[0]
  }

  change(values) {
    router.change({ after: '', open: '', at: '', ...values })
  }

  async #export(type, extension) {
    const service = isService(this.route)
    this.exporting = true
    try {
      const answer = await call('GET', owned(service, 'audit', 'export') + query(filters(this.route)), { raw: true, headers: { Accept: type } })
      const link = document.createElement('a')
      link.href = URL.createObjectURL(await answer.blob())
      link.download = `audit-${service ? 'service' : (me.project.slug ?? me.project.id)}-${new Date().toISOString().slice(0, 10)}.${extension}`
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
      toast(`${link.download} is written`)
    } catch (problem) {
      toastProblem(problem)
    }
    this.exporting = false
  }

  render() {
    const service = isService(this.route)
    const menu = (event) =>
      openMenu(event.currentTarget, [
        { caption: 'All entries that match, newest first' },
        { label: 'NDJSON, one object a line', icon: 'audit', run: () => this.#export('application/x-ndjson', 'ndjson') },
        { label: 'CSV, for spreadsheets', icon: 'list', run: () => this.#export('text/csv', 'csv') },
      ], 'Export')
    return html`${pageHead({
        title: 'Audit',
        help: service ? 'What belongs to no project, and what keys of the service did in projects.' : 'Who changed or was refused what in this project.',
        actions: html`<button class="button" aria-haspopup="menu" aria-expanded="false" ?disabled=${this.exporting} @click=${menu}>${this.exporting ? html`<span class="spinner"></span>` : nothing}Export${icon('down')}</button>`,
      })}
      ${this.#chain()} ${this.#toolbar(service)}
      ${this.body('entries', (answer) => (answer.entries.length ? this.#table(answer) : this.#none()))}
      ${this.entry ? entryPanel(this.entry, { close: this.#close, change: (values) => this.change(values) }) : nothing}`
  }

  #chain() {
    const { chain } = this
    if (!chain) {
      return html`<p class="chain soft">${this.answer ? 'The state of the chain is not known now.' : ' '}</p>`
    }
    const { verification: seen, length, head } = chain
    if (seen?.outcome === 'broken') {
      return html`<div class="notice failed chain" role="alert">${icon('failed')}<p><strong>The chain of this audit is broken:</strong> ${BREACHES[seen.reason] ?? seen.reason}${seen.sequence ? ` (entry ${number(seen.sequence)} of the chain)` : ''}.
        Whole up to entry ${number(seen.until.sequence)}, seen ${when(seen.at)}. Keep an export and tell whoever runs the service.</p></div>`
    }
    return html`<p class="chain">${seen
      ? html`<span class="badge saved">${icon('done')}Chain whole</span> <span class="soft">verified up to entry ${number(seen.until.sequence)} of ${number(head.sequence)}, ${when(seen.at)}</span>`
      : html`<span class="badge">${icon('waiting')}Chain not verified yet</span> <span class="soft">${count(length, 'entry is', 'entries are')} in it; it is recomputed every day</span>`}</p>`
  }

  #toolbar(service) {
    const of = (name) => this.route.query.get(name) ?? ''
    const range = of('range') || (of('from') || of('to') ? 'own' : '')
    const own = (name, label) => html`<span class="pick"><label for="own-${name}">${label}</label>
      <input class="input" id="own-${name}" type="datetime-local" .value=${of(name)} @change=${(event) => this.change({ [name]: event.target.value })}></span>`
    const any = FILTERS.some((each) => of(each))
    return html`<form class="filters" role="search" aria-label="Audit" @submit=${(event) => event.preventDefault()}>
      ${scopes(service)}
      ${pick('Time', RANGES.map(([word, label]) => [word, label]), range, (word) => this.change({ range: word, from: '', to: '' }))}
      ${range === 'own' ? html`${own('from', 'From')}${own('to', 'To')}` : nothing}
      ${pick('Actor', this.#actors(of('actor')), of('actor'), (actor) => this.change({ actor }))}
      ${pick('Action', [['', 'Any'], ...ACTION_CHOICES], of('action'), (action) => this.change({ action }))}
      ${pick('Outcome', [['', 'Any'], ...Object.entries(OUTCOMES).map(([word, [, , label]]) => [word, label])], of('outcome'), (outcome) => this.change({ outcome }))}
      <span class="pick grow"><label for="object">Object</label>
        <input class="input mono" id="object" type="search" placeholder="Whole ID" autocomplete="off" spellcheck="false" maxlength="200" .value=${of('object')}
          @input=${(event) => this.#typed({ object: event.target.value.trim() })}></span>
      ${any ? html`<button type="button" class="button quiet" @click=${() => this.change(NOTHING)}>Clear</button>` : nothing}
    </form>`
  }

  /** Those that are known, and whom the address names. */
  #actors(chosen) {
    const all = new Map([['', 'Anyone'], [me.who.principal, `${me.who.name} (you)`], ['system', 'The system'], ...(this.actors ?? [])])
    all.set(me.who.principal, `${me.who.name} (you)`)
    if (chosen && !all.has(chosen)) {
      all.set(chosen, who(chosen))
    }
    return [...all]
  }

  #none() {
    return FILTERS.some((each) => this.route.query.get(each)) || this.route.query.get('after')
      ? pageState({
          symbol: 'search',
          role: 'status',
          title: 'No entries match',
          text: 'Nothing was done or refused that fits all of these filters.',
          actions: html`<button class="button primary" @click=${() => this.change(NOTHING)}>Clear filters</button>`,
        })
      : pageState({
          symbol: 'audit',
          role: 'status',
          title: 'Nothing yet',
          text: 'Every change, and every one that was refused, will stand here: who, what, when, and from where.',
          actions: html`<a class="button" href="/console/keys">Keys</a>`,
        })
  }

  #table({ entries, next }) {
    return html`<div class="sheet"><table aria-label="Audit">
        <thead><tr><th scope="col">What</th><th scope="col">Who</th><th scope="col">Object</th><th scope="col">Outcome</th><th scope="col" class="end">When</th></tr></thead>
        <tbody>${repeat(entries, (each) => each.id, (each) => this.#row(each))}</tbody>
      </table></div>
      ${this.turns(count(entries.length, 'entry', 'entries'), next, { more: pick('Rows', SIZES.map((each) => [each, each]), this.#size(), (size) => this.change({ size: size === SIZES[0] ? '' : size })) })}`
  }

  #row(entry) {
    const { subject } = entry
    const open = router.with({ open: entry.id, at: entry.at })
    const onRow = (event) => event.target.closest('a, button, .tipped') || getSelection().toString() || router.go(open, { replace: Boolean(this.route.query.get('open')) })
    return html`<tr data-id=${entry.id} class=${this.route.query.get('open') === entry.id ? 'shown' : ''} @click=${onRow}>
      <td class="main" data-label="What"><a href=${open} title=${entry.action}>${actionWords(entry.action)}</a></td>
      <td data-label="Who"><span class="cut block" title=${entry.principal}>${actor(entry, this.actors)}</span></td>
      <td data-label="Object">${subject.id ? html`<span class="soft">${subject.type.replaceAll('_', ' ')}</span> <span class="mono" title=${subject.id}>${shortId(subject.id)}</span>` : html`<span class="soft">–</span>`}</td>
      <td data-label="Outcome">${outcome(entry)}</td>
      <td class="end" data-label="When">${when(entry.at, { end: true })}</td>
    </tr>`
  }
}

function outcome(entry) {
  const [meaning, symbol, text] = OUTCOMES[entry.outcome] ?? ['', 'info', entry.outcome]
  return html`<span class="badge ${meaning}" title=${entry.reason ?? ''}>${icon(symbol)}${text}</span>${entry.reason ? html` <span class="soft small">${entry.reason.replaceAll('_', ' ')}</span>` : nothing}`
}

customElements.define('hf-audit', Audit)
