// Everything about one snapshot: beside the list, or as a page of its own.
import { html, nothing } from 'lit'
import { copied, copyButton } from './copy.js'
import { get, query } from './http.js'
import { failedState, Page, pageState } from './page.js'
import { me } from './me.js'
import * as actions from './snapshot-actions.js'
import { statusBadge, title, verdict } from './snapshot-row.js'
import { trashControls } from './snapshot-trash.js'
import { openMenu } from './menu.js'
import { mounted } from './volume-words.js'
import { bytes, icon, number, shortId, when } from './words.js'

const MOST_EVENTS = 100

class SnapshotPanel extends Page {
  static properties = {
    reference: { attribute: false },
    page: { attribute: false },
    section: { attribute: false },
    alone: { type: Boolean },
    snapshot: { state: true },
    lineage: { state: true },
    events: { state: true },
    problem: { state: true },
  }

  connectedCallback() {
    super.connectedCallback()
    addEventListener('keydown', this.#onKey)
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    removeEventListener('keydown', this.#onKey)
  }

  #onKey = (event) => {
    if (event.key === 'Escape' && !this.alone && !event.defaultPrevented && !document.querySelector('dialog[open], .menu')) {
      this.page.closePanel()
    }
  }

  willUpdate(changed) {
    if (changed.has('reference')) {
      this.snapshot = this.lineage = this.events = this.problem = undefined
      this.#fresh = true
      this.load()
    }
  }

  #fresh = false

  updated() {
    if (this.#fresh && this.snapshot) {
      this.#fresh = false
      if (this.section) {
        this.querySelector(`#${CSS.escape(this.section)}`)?.scrollIntoView()
      }
      if (!this.alone) {
        this.querySelector('h2')?.focus({ preventScroll: Boolean(this.section) })
      }
    }
  }

  async load() {
    const { reference } = this
    try {
      const snapshot = await get(me.api('snapshots', reference))
      if (reference !== this.reference) {
        return
      }
      this.snapshot = snapshot
      this.problem = undefined
      const [lineage, events] = await Promise.all([
        get(me.api('snapshots', snapshot.id, 'lineage')).catch(() => null),
        get(me.api('events') + query({ subject: snapshot.id, limit: MOST_EVENTS })).catch(() => null),
      ])
      if (reference === this.reference) {
        this.lineage = lineage
        this.events = events?.events
      }
    } catch (problem) {
      if (reference === this.reference) {
        this.problem = problem
      }
    }
  }

  render() {
    return this.alone
      ? html`<article class="snapshot alone">${this.#inside('h1')}</article>`
      : html`<aside class="panel snapshot" aria-label="Snapshot">${this.#inside('h2')}</aside>`
  }

  #inside(level) {
    const { snapshot } = this
    const called = snapshot && (title(snapshot) ?? shortId(snapshot.id))
    return html`<header>
        ${this.alone ? html`<p><a href="/console/snapshots">Snapshots</a></p>` : nothing}
        <div class="row">
          ${level === 'h1' ? html`<h1 class="grow">${called ?? 'Snapshot'}</h1>` : html`<h2 class="grow" tabindex="-1">${called ?? 'Snapshot'}</h2>`}
          ${this.alone
            ? nothing
            : html`<a class="button quiet small square" href="/console/snapshots/${this.reference}" aria-label="Open as a page" title="Open as a page">${icon('link')}</a>
                <button class="button quiet small square" aria-label="Close the panel" title="Close" @click=${() => this.page.closePanel()}>${icon('close')}</button>`}
        </div>
      </header>
      <div class="inside">${this.#body()}</div>`
  }

  #body() {
    const { snapshot, problem } = this
    if (problem) {
      return problem.status === 404
        ? pageState({ symbol: 'search', title: 'This snapshot is not there', text: problem.message, actions: html`<a class="button" href="/console/snapshots">All snapshots</a>` })
        : failedState('The snapshot could not be read', problem, () => this.load())
    }
    if (!snapshot) {
      return pageState({ symbol: 'spinner', title: 'Loading', role: 'status' })
    }
    return html`${this.#actions(snapshot)} ${facts(snapshot)} ${notes(snapshot)} ${sdk(snapshot)} ${this.#lineage()} ${this.#events()} ${fingerprint(snapshot)}`
  }

  #actions(snapshot) {
    if (snapshot.status !== 'saved') {
      return html`<div class="row wrap">${statusBadge(snapshot)}<span class="grow"></span>${!actions.mayManage()
        ? nothing
        : snapshot.status === 'trashed'
          ? trashControls(this.#again, snapshot)
          : html`<button class="button small danger" @click=${() => actions.discard(this.#again, snapshot)}>Delete</button>`}</div>`
    }
    return html`<div class="row wrap">${statusBadge(snapshot)}<span class="grow"></span>
      ${actions.mayUse() ? html`<a class="button small primary" href="/console/workbench?load=${snapshot.id}">Open in Workbench</a>` : nothing}
      <button class="button small square" aria-haspopup="menu" aria-expanded="false" aria-label="More for this snapshot" title="More"
        @click=${(event) => openMenu(event.currentTarget, this.#menu(snapshot))}>${icon('more')}</button></div>`
  }

  /** What is done here is seen here and in the list. */
  #again = { deleteAll: (all) => this.page.deleteAll(all), load: () => (this.load(), this.alone || this.page.load()), openPanel: () => {} }

  /** The same as in the list, without the ways to where one is. */
  #menu(snapshot) {
    return actions.menu(this.#again, snapshot).filter((each) => !['Details', 'Lineage', 'Open in Workbench'].includes(each.label))
  }

  #lineage() {
    const { lineage } = this
    if (!lineage) {
      return nothing
    }
    const line = (each, label) => html`<li><span class="soft kind">${label}</span>${each.type === 'snapshot' && each.state !== 'gone'
      ? html`<a class="cut" href="/console/snapshots/${each.id}">${each.name ?? shortId(each.id)}</a>`
      : html`<span class="mono cut" title=${each.id}>${each.type === 'sandbox' ? each.id : shortId(each.id)}</span>`}<span class="soft small">${each.state.replace('_', ' ')}</span></li>`
    return html`<section id="lineage"><h3>Lineage</h3>
      ${lineage.ancestors.length || lineage.children.length
        ? html`<ul class="lineage">${[...lineage.ancestors].reverse().map((each) => line(each, 'from'))}
            <li><span class="soft kind">this</span><strong class="cut">${title(this.snapshot) ?? shortId(this.snapshot.id)}</strong></li>
            ${lineage.children.map((each) => line(each, each.type === 'sandbox' ? 'runs as' : 'led to'))}
            ${lineage.next ? html`<li class="soft">and more</li>` : nothing}</ul>`
        : html`<p class="soft">It was made from a template, and nothing was made from it so far.</p>`}</section>`
  }

  #events() {
    const { events } = this
    return events?.length
      ? html`<section><h3>Events</h3><ol class="events">${[...events].reverse().map(
          (each) => html`<li><span class="grow">${WORDS[each.type] ?? each.type}</span>${when(each.timestamp, { end: true })}</li>`,
        )}</ol></section>`
      : nothing
  }
}

const WORDS = {
  'snapshot.saved': 'Saved',
  'snapshot.imported': 'Imported',
  'snapshot.expiring': 'Expires soon',
  'snapshot.expired': 'Expired',
  'snapshot.deleted': 'Deleted',
  'snapshot.recovered': 'Brought back',
  'snapshot.purged': 'Deleted for good',
  'snapshot.pinned': 'Pinned',
  'snapshot.unpinned': 'Unpinned',
  'snapshot.held': 'Held',
  'snapshot.removed': 'Objects removed',
  'snapshot.parts_changed': 'Stored parts changed',
  'snapshot.restore_failed': 'A restore failed',
  'snapshot.restorable': 'Restorable again',
}

const fact = (label, value) => (value === null || value === undefined ? nothing : html`<div><dt>${label}</dt><dd>${value}</dd></div>`)

function facts(snapshot) {
  const { size } = snapshot
  return html`<section><h3>Facts</h3><dl class="facts">
    ${fact('ID', copied(snapshot.id, 'ID', { whole: true }))}
    ${fact('Upload ID', copied(snapshot.uploadId, 'Upload ID', { whole: true }))}
    ${fact('Verdict', html`${verdict(snapshot)}<br> <span class="soft">${snapshot.verdict.detail}</span>${differences(snapshot)}`)}
    ${fact('Size', html`${bytes(snapshot.storedBytes)} stored, ${bytes(snapshot.logicalBytes)} before compression`)}
    ${fact('Contents', snapshot.memory ? 'Files, memory and processes' : 'Files only; it boots anew')}
    ${fact('Parts', { pending: 'Not written yet', complete: 'Complete', missing: 'A part is missing', corrupt: 'A part is corrupt' }[snapshot.partsState])}
    ${fact('Needs', `${number(size.cpus)} CPU, ${bytes(size.memoryMib * 2 ** 20)} memory, ${bytes(size.diskMib * 2 ** 20)} disk`)}
    ${fact('Created', html`${when(snapshot.createdAt)} <span class="soft" title=${snapshot.createdBy}>by ${me.called(snapshot.createdBy) ?? snapshot.createdBy.replace(/^(key:.{8}).*/, '$1…')}</span>`)}
    ${fact('Saved', snapshot.savedAt && when(snapshot.savedAt))}
    ${fact('Source stood still', snapshot.freezeMillis === undefined ? null : `${number(snapshot.freezeMillis)} ms`)}
    ${fact('Expires', snapshot.expiresAt ? when(snapshot.expiresAt) : snapshot.pin ? 'when its pin is lifted' : null)}
    ${fact('Last loaded', snapshot.lastRestoredAt && when(snapshot.lastRestoredAt))}
    ${fact('Pinned', snapshot.pin && html`${snapshot.pin.reason}`)}
    ${fact('Held', snapshot.hold && html`${snapshot.hold.reason}, until ${when(snapshot.hold.until)}`)}
    ${fact('In the trash until', snapshot.trashedUntil && when(snapshot.trashedUntil))}
    ${fact('Sandbox', html`<span class="mono">${snapshot.sourceSandboxId}</span>`)}
    ${fact('Template', html`<span class="mono">${snapshot.templateId}</span>`)}
    ${fact('Volumes', mounted(snapshot.mounts))}
    ${fact('In use by', snapshot.occupants.length ? snapshot.occupants.map((each) => html`<span class="mono block">${each}</span>`) : 'nothing')}
    ${fact('Removed', snapshot.removedAt && html`${snapshot.removalReason} ${when(snapshot.removedAt)}`)}
    ${fact('Failure', snapshot.failure && html`${snapshot.failure.message}`)}
    ${fact('Cleanup', snapshot.cleanup?.lastError && html`failed ${number(snapshot.cleanup.attempts)} times: ${snapshot.cleanup.lastError}`)}
  </dl></section>`
}

function differences(snapshot) {
  const all = snapshot.verdict.differences
  return all?.length
    ? html`<ul class="plain small">${all.map((each) => html`<li>${each.worker}: ${each.what} is ${each.offered ?? 'absent'}, needed is ${each.needed}</li>`)}</ul>`
    : nothing
}

function notes(snapshot) {
  const labels = Object.entries(snapshot.labels)
  return snapshot.note || labels.length
    ? html`<section><h3>Note and labels</h3>${snapshot.note ? html`<p class="note">${snapshot.note}</p>` : nothing}
        ${labels.length ? html`<ul class="labels">${labels.map(([key, value]) => html`<li class="badge mono">${key}=${value}</li>`)}</ul>` : nothing}</section>`
    : nothing
}

function sdk(snapshot) {
  if (snapshot.status !== 'saved') {
    return nothing
  }
  const line = (label, text) => html`<div class="snippet"><span class="soft small">${label}</span>
    <code>${text}</code>${copyButton(text, `${label} line`)}</div>`
  return html`<section><h3>From a program</h3>${line('Python', actions.sdkLine.python(snapshot.id))}${line('TypeScript', actions.sdkLine.typescript(snapshot.id))}</section>`
}

function fingerprint(snapshot) {
  const print = snapshot.fingerprint
  if (!print) {
    return nothing
  }
  return html`<section><h3>Fingerprint</h3><dl class="facts">
    ${fact('Runtime build', html`<span class="mono cut block" title=${print.runtimeBuild}>${print.runtimeBuild}</span>`)}
    ${fact('Template digest', snapshot.templateDigest && html`<span class="mono cut block" title=${snapshot.templateDigest}>${snapshot.templateDigest}</span>`)}
    ${fact('Platform', `${print.platform}, ${print.architecture}`)}
    ${fact('Agent protocol', number(print.agentProtocol))}
    ${fact('State format', number(print.stateFormat))}
    ${print.cpuFeatures?.length ? fact('CPU features', html`<details><summary>${number(print.cpuFeatures.length)}</summary><p class="mono small features">${print.cpuFeatures.join(' ')}</p></details>`) : nothing}
  </dl></section>`
}

customElements.define('hf-snapshot', SnapshotPanel)
