// The drawer: what lives in the session, its files and volumes, what was run here, what runs there.
import { html, LitElement, nothing } from 'lit'
import './files.js'
import { ask } from './dialog.js'
import { sessionPlace, volumePlace } from './places.js'
import { endProcess, listProcesses, listVariables } from './workbench-client.js'
import { history } from './workbench-local.js'
import { took } from './workbench-output.js'
import { count, when } from './words.js'

const TABS = ['Variables', 'Files', 'Volumes', 'History', 'Processes']
const HOME = '/home/user'
/** What is read here; the others have it, or read it themselves. */
const READ = ['Variables', 'Processes']

/**
 * `<hf-drawer>`: of the session `sandbox`, its interpreter `context` and the volumes that it `mounts`; `stamp` changes when a run is over, `live` says
 * whether it can be asked. Dispatches `insert` and `rerun` with code.
 */
class Drawer extends LitElement {
  static properties = {
    sandbox: { attribute: false },
    context: { attribute: false },
    mounts: { attribute: false },
    live: { attribute: false },
    busy: { attribute: false },
    stamp: { attribute: false },
    tab: { state: true },
    views: { state: true },
    mounted: { state: true },
    filter: { state: true },
    content: { state: true },
    problem: { state: true },
  }

  constructor() {
    super()
    this.tab = 'Variables'
    this.views = {}
    this.filter = ''
    this.content = {}
  }

  createRenderRoot() {
    return this
  }

  willUpdate(changed) {
    if (changed.has('sandbox')) {
      this.views = {}
      this.mounted = null
      this.content = {}
      this.place = this.sandbox && sessionPlace(this.sandbox)
    }
    const asks = ['sandbox', 'context', 'live', 'stamp', 'tab', 'busy'].some((each) => changed.has(each))
    if (asks && !this.busy) {
      this.#load()
    }
  }

  /** Reads anew what is shown; an answer that comes late for it is dropped. */
  async #load() {
    const { tab, sandbox, context } = this
    if (!this.live || !sandbox || !READ.includes(tab)) {
      return
    }
    const turn = (this.turn = {})
    this.problem = null
    try {
      const found = await (tab === 'Processes' ? listProcesses(sandbox) : context && listVariables(sandbox, context))
      if (turn === this.turn && found) {
        this.content = { ...this.content, [tab]: found }
      }
    } catch (problem) {
      if (turn === this.turn) {
        this.problem = problem
      }
    }
  }

  #refresh = () => {
    this.querySelector('hf-files')?.load()
    this.#load()
  }

  render() {
    return html`<div class="tabs row">
        <div role="tablist" aria-label="Drawer" @keydown=${this.#onKey}>${TABS.map(
          (each) => html`<button role="tab" id="tab-${each}" aria-controls="drawer-panel" aria-selected=${each === this.tab ? 'true' : 'false'}
            tabindex=${each === this.tab ? 0 : -1} @click=${() => (this.tab = each)}>${each}</button>`,
        )}</div>
        <span class="grow"></span>
        ${this.tab === 'History'
          ? html`<button class="button quiet small" ?disabled=${!history.read().length} @click=${this.#clear}>Clear history</button>`
          : html`<button class="button quiet small" ?disabled=${!this.live} @click=${this.#refresh}>Refresh</button>`}
      </div>
      <div class="drawer-panel" id="drawer-panel" role="tabpanel" aria-labelledby="tab-${this.tab}" tabindex="0">${this.#panel()}</div>`
  }

  #panel() {
    if (this.tab === 'History') {
      return this.#history()
    }
    if (this.tab === 'Volumes' && !(this.live && this.mounts?.length)) {
      return this.#noVolumes()
    }
    if (!this.live) {
      return html`<p class="empty soft">There is no session that runs. Run something, and it is shown here.</p>`
    }
    if (this.problem && READ.includes(this.tab)) {
      return html`<p class="empty" role="alert">${this.problem.message} <button class="button small" @click=${() => this.#load()}>Try again</button></p>`
    }
    return {
      Variables: () => this.#variables(),
      Files: () => this.#files(this.place, HOME),
      Volumes: () => this.#volumes(),
      Processes: () => this.#processes(),
    }[this.tab]()
  }

  #variables() {
    const all = this.content.Variables
    if (!all) {
      return html`<p class="empty soft">${this.busy ? 'Names are read when nothing runs.' : 'Reading…'}</p>`
    }
    if (!all.length) {
      return html`<p class="empty soft">No names yet. <code>total = 42</code> makes one.</p>`
    }
    const shown = all.filter((each) => each.name.toLowerCase().includes(this.filter.toLowerCase()))
    return html`<div class="tools row">
        <input class="input" type="search" aria-label="Filter variables" placeholder="Filter" .value=${this.filter} @input=${(e) => (this.filter = e.target.value)}>
        <span class="soft small">${this.busy ? 'As before the run' : count(shown.length, 'name')}</span>
      </div>
      <table class="list" aria-label="Variables">
        <thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Value</th></tr></thead>
        <tbody>${shown.map((each) => html`<tr><th scope="row" class="mono">${each.name}</th><td class="mono soft">${each.type}</td><td class="mono value" title=${each.value}>${each.value}</td></tr>`)}</tbody>
      </table>`
  }

  /** Each place is where one left it. */
  #files(place, home) {
    const view = { path: home, page: 1, find: '', ...this.views[place.key] }
    const go = ({ detail }) => (this.views = { ...this.views, [place.key]: { ...view, ...detail } })
    return html`<hf-files .place=${place} .path=${view.path} .page=${view.page || 1} .find=${view.find} .stamp=${this.stamp} @go=${go}></hf-files>`
  }

  #volumes() {
    const { mounts } = this
    const mount = mounts.find((each) => each.volumeId === this.mounted) ?? mounts[0]
    return html`<div class="tools row wrap">
        ${mounts.length > 1
          ? html`<div class="segments" role="group" aria-label="Mounted volumes">${mounts.map(
              (each) => html`<button type="button" class="mono" aria-pressed=${String(each === mount)} title="Volume ${each.name}" @click=${() => (this.mounted = each.volumeId)}>${each.path}</button>`,
            )}</div>`
          : html`<span>Mounted at <strong class="mono">${mount.path}</strong></span>`}
        <span class="grow soft small">A load keeps what is in it now.</span>
        <a class="button quiet small" href="/console/volumes/${mount.volumeId}">Volume ${mount.name}</a>
      </div>
      ${this.#files(volumePlace({ id: mount.volumeId, name: mount.name }, mount.path), '/')}`
  }

  #noVolumes() {
    return html`<div class="empty">
      <p>Volumes are folders of the project that sessions share. They are mounted when a session is opened, are not part of a snapshot, and keep
        their present contents when one is loaded: the way to hand files from one session to another.</p>
      <p>${this.live ? 'This session mounts none. ' : ''}Choose volumes when you start a session with <em>New</em>.</p>
      <p><a class="button small" href="/console/volumes">Volumes of the project</a> <a class="button quiet small" href="/console/help/share-files">Share files between sessions</a></p>
    </div>`
  }

  #history() {
    const all = history.read()
    if (!all.length) {
      return html`<p class="empty soft">What you run is kept here, in this browser only. It is never part of a snapshot.</p>`
    }
    return html`<table class="list" aria-label="History">
      <thead><tr><th scope="col">Code</th><th scope="col">Run</th><th scope="col" class="number">Took</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
      <tbody>${all.map((each) => {
        const first = each.code.trim().split('\n')[0]
        return html`<tr>
          <th scope="row" class="mono value" title=${each.code.slice(0, 500)}>${first}${each.code.trim().includes('\n') ? ' …' : ''}</th>
          <td>${when(new Date(each.at).toISOString())}${each.state === 'done' ? nothing : html` <span class="soft">${each.state}</span>`}</td>
          <td class="number mono">${took(each.took ?? 0)}</td>
          <td class="actions">
            <button class="button quiet small" aria-label="Insert: ${first}" @click=${() => this.#tell('insert', each.code)}>Insert</button>
            <button class="button quiet small" aria-label="Run again: ${first}" ?disabled=${this.busy} @click=${() => this.#tell('rerun', each.code)}>Run again</button>
          </td>
        </tr>`
      })}</tbody>
    </table>`
  }

  #processes() {
    const all = this.content.Processes
    if (!all) {
      return html`<p class="empty soft">Reading…</p>`
    }
    if (!all.length) {
      return html`<p class="empty soft">No programs run beside the interpreter.</p>`
    }
    return html`<table class="list" aria-label="Processes">
      <thead><tr><th scope="col" class="number">PID</th><th scope="col">Command</th><th scope="col">User</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
      <tbody>${all.map(
        (each) => html`<tr><td class="number mono">${each.pid}</td><th scope="row" class="mono value" title=${each.command}>${each.command}</th><td>${each.user}</td>
          <td class="actions"><button class="button quiet small" aria-label="End ${each.pid}" @click=${() => this.#end(each)}>End</button></td></tr>`,
      )}</tbody>
    </table>`
  }

  #tell(what, code) {
    this.dispatchEvent(new CustomEvent(what, { detail: code }))
  }

  #end(process) {
    ask({
      title: `End process ${process.pid}`,
      body: html`<p><code>${process.command}</code> and what it started are killed at once.</p>`,
      action: 'End process',
      danger: true,
      act: async () => {
        await endProcess(this.sandbox, process.pid)
        this.#load()
      },
    })
  }

  #clear = () => {
    history.clear()
    this.requestUpdate()
  }

  #onKey = (event) => {
    const at = TABS.indexOf(this.tab)
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key]
    if (next !== undefined && event.target.getAttribute('role') === 'tab') {
      event.preventDefault()
      this.tab = TABS.at(next % TABS.length)
      this.updateComplete.then(() => this.querySelector('[aria-selected=true]').focus())
    }
  }
}
customElements.define('hf-drawer', Drawer)
