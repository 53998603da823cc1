// The Storage page: what counts, how it went, what is largest, what goes soon and by which rules.
import { html, nothing } from 'lit'
import { choice } from './controls.js'
import { get, query } from './http.js'
import { later } from './later.js'
import { live } from './live.js'
import { problemNotice } from './dialog.js'
import { failedState, Page, pageHead, pageState } from './page.js'
import { router } from './router.js'
import { me } from './me.js'
import * as actions from './snapshot-actions.js'
import { title } from './snapshot-row.js'
import { shares, summary } from './storage-summary.js'
import { bytes, count, shortId, when } from './words.js'
import './storage-plot.js'
import './storage-retention.js'

const NEWS = 800
const MOST = 8
/** For so long what is first drawn waits for all its parts, so that none pushes another aside. */
const TOGETHER = 1_000
const HOUR = 3_600
const DAYS = [['90', '90 days'], ['30', '30 days'], ['7', '7 days']]
const SOON = [['48', '48 hours'], ['24', '24 hours'], ['168', '7 days']]
const KINDS = ['snapshot', 'capture', 'quota']

/** What the address says, with what is meant where it says nothing. */
function asked(route) {
  const one = (name, words) => (words.some(([word]) => word === route.query.get(name)) ? route.query.get(name) : words[0][0])
  return { days: one('days', DAYS), within: one('within', SOON), table: route.query.get('view') === 'table' }
}

/** Each part is read by itself: one that fails leaves the others. */
const PARTS = {
  storage: () => get(me.api('storage')),
  history: ({ days }) => get(me.api('storage', 'history') + query({ days })),
  largest: () => get(me.api('snapshots') + query({ status: 'saved', sort: 'size', direction: 'desc', limit: MOST })),
  soon: ({ within }) => get(me.api('snapshots') + query({ status: 'saved', sort: 'expiry', direction: 'asc', expiringWithin: within * HOUR, limit: MOST })),
}

export default class Storage extends Page {
  static properties = { parts: { state: true }, drawn: { state: true } }

  constructor() {
    super()
    this.parts = {}
  }

  #listeners = [
    ['event', (event) => (KINDS.includes(event.detail.subject.kind) || /^sandbox\.(paused|resumed|ended|created|restored)$/.test(event.detail.type)) && this.#soon()],
    ['gap', () => this.#soon()],
  ]

  /** Many events are one look. */
  #soon = later(NEWS, () => this.load())
  #shown = {}
  #turns = {}

  connectedCallback() {
    super.connectedCallback()
    this.#listeners.forEach(([type, listener]) => live.addEventListener(type, listener))
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    this.#listeners.forEach(([type, listener]) => live.removeEventListener(type, listener))
    this.#soon.stop()
  }

  willUpdate(changed) {
    if (!changed.has('route')) {
      return
    }
    const { days, within } = asked(this.route)
    const wanted = { storage: '', history: days, largest: '', soon: within }
    const all = this.load(...Object.keys(wanted).filter((name) => this.#shown[name] !== wanted[name]))
    Promise.race([all, new Promise((done) => setTimeout(done, TOGETHER))]).then(() => (this.drawn = true))
    this.#shown = wanted
  }

  /** All of them if none is named. */
  load(...names) {
    const now = asked(this.route)
    return Promise.all(
      (names.length ? names : Object.keys(PARTS)).map((name) => {
        const turn = (this.#turns[name] = {})
        return PARTS[name](now).then(
          (data) => this.#put(name, turn, { data }),
          (problem) => this.#put(name, turn, { ...this.parts[name], problem }),
        )
      }),
    )
  }

  /** An answer that comes after a newer one was asked for is dropped. */
  #put(name, turn, part) {
    if (turn === this.#turns[name]) {
      this.parts = { ...this.parts, [name]: part }
    }
  }

  /** A part in the state that it is in; what is old is shown with what went wrong. */
  #part(name, what, view) {
    const { data, problem } = this.parts[name] ?? {}
    if (!data) {
      return problem
        ? failedState(`${what} could not be read`, problem, () => this.load(name))
        : html`<div aria-busy="true">${pageState({ symbol: 'spinner', title: `Loading ${what.toLowerCase()}`, role: 'status' })}</div>`
    }
    return html`${problem ? problemNotice(problem) : nothing}${view(data)}`
  }

  render() {
    const now = asked(this.route)
    return html`${pageHead({
        title: 'Storage',
        help: html`What <strong>${me.project.name}</strong> stores, what of that counts, and what goes when.`,
        liveDot: true,
      })}
      ${this.drawn ? this.#grid(now) : html`<div aria-busy="true">${pageState({ symbol: 'spinner', title: 'Loading what is stored', role: 'status' })}</div>`}`
  }

  #grid(now) {
    return html`<div class="storage-grid">
        <section class="card block summary" aria-labelledby="summary-head"><h2 id="summary-head">Project storage</h2>${this.#part('storage', 'The summary', summary)}</section>
        <section class="card block" aria-labelledby="shares-head"><h2 id="shares-head">What counts</h2>${this.#part('storage', 'What counts', shares)}</section>
        <section class="card block whole-row" aria-labelledby="usage-head">
          <header class="row wrap"><h2 class="grow" id="usage-head">Usage over ${now.days} days</h2>
            ${choice('Days', DAYS, now.days, (days) => router.change({ days: days === DAYS[0][0] ? '' : days }))}
            <div class="segments" role="group" aria-label="Usage as">
              ${[['', 'Plot'], ['table', 'Table']].map(
                ([word, label]) => html`<button type="button" aria-pressed=${String(now.table === Boolean(word))} @click=${() => router.change({ view: word })}>${label}</button>`,
              )}
            </div></header>
          ${this.#part('history', 'Usage', (history) => html`<hf-storage-plot .history=${history} .limit=${this.parts.storage?.data?.limit} ?table=${now.table}></hf-storage-plot>`)}
        </section>
        <section class="card block" aria-labelledby="largest-head">
          <header class="row wrap"><h2 class="grow" id="largest-head">Largest snapshots</h2><a href="/console/snapshots?status=saved&sort=size-desc">All by size</a></header>
          ${this.#part('largest', 'Largest snapshots', (found) => this.#largest(found))}
        </section>
        <section class="card block" aria-labelledby="soon-head">
          <header class="row wrap"><h2 class="grow" id="soon-head">Expiring soon</h2>${choice('Within', SOON, now.within, (within) => router.change({ within: within === SOON[0][0] ? '' : within }))}</header>
          ${this.#part('soon', 'What expires soon', (found) => this.#expiring(found, now))}
        </section>
        <hf-retention class="card block whole-row"></hf-retention>
      </div>`
  }

  #largest({ snapshots }) {
    if (!snapshots.length) {
      return html`<p class="soft">Nothing is saved yet. <a href="/console/workbench">Save a Workbench session</a>.</p>`
    }
    const used = this.parts.storage?.data?.used.bytes
    return html`<table class="plain-table" aria-label="Largest snapshots"><thead><tr><th scope="col">Snapshot</th><th scope="col" class="end">Size</th><th scope="col" class="end share">Of what is used</th><th scope="col" class="end">Created</th></tr></thead>
      <tbody>${snapshots.map(
        (each) => html`<tr><td class="name">${link(each)}</td><td class="end">${bytes(each.storedBytes)}</td>
          <td class="end soft share">${used ? `${Math.round((100 * each.storedBytes) / used)} %` : '–'}</td><td class="end">${when(each.createdAt, { end: true })}</td></tr>`,
      )}</tbody></table>`
  }

  #expiring({ snapshots, total, next }, now) {
    if (!snapshots.length) {
      return html`<p class="soft">Nothing expires within ${SOON.find(([word]) => word === now.within)[1]}.</p>`
    }
    return html`<table class="plain-table" aria-label="Expiring soon"><thead><tr><th scope="col">Snapshot</th><th scope="col" class="end">Size</th><th scope="col" class="end">Expires</th>${actions.mayManage() ? html`<td></td>` : nothing}</tr></thead>
      <tbody>${snapshots.map(
        (each) => html`<tr><td class="name">${link(each)}</td><td class="end">${bytes(each.storedBytes)}</td><td class="end">${when(each.expiresAt, { end: true })}</td>
          ${actions.mayManage()
            ? html`<td class="end"><button class="button small" aria-label="Extend ${title(each) ?? each.id}" @click=${() => actions.extend(each).then((done) => done && this.load('soon'))}>Extend</button></td>`
            : nothing}</tr>`,
      )}</tbody></table>
      ${next ? html`<p class="soft small">And ${total ? count(total - snapshots.length, 'more', 'more') : 'more'}: <a href="/console/snapshots?status=saved&sort=expiry-asc">all by expiry</a>.</p>` : nothing}`
  }
}

const link = (snapshot) => html`<a class="cut" href="/console/snapshots/${snapshot.id}">${title(snapshot) ?? html`<span class="mono">${shortId(snapshot.id)}</span>`}</a>`

customElements.define('hf-storage', Storage)
