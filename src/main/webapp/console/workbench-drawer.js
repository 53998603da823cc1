// The drawer: what lives in the session, its files and volumes, what was run here, what runs there.
import { html, LitElement, nothing } from 'lit'
import { ask } from './dialog.js'
import { toast, toastProblem } from './toast.js'
import { endProcess, fileAddress, listFiles, listProcesses, listVariables, makeDirectory, removeFile, writeFile } from './workbench-client.js'
import { history } from './workbench-local.js'
import { took } from './workbench-output.js'
import { bytes, count, icon, when } from './words.js'

const TABS = ['Variables', 'Files', 'Volumes', 'History', 'Processes']
const HOME = '/home/user'

/**
 * `<hf-drawer>`: of the session `sandbox` and its interpreter `context`; `stamp` changes when a run is over, `live` says
 * whether it can be asked. Dispatches `insert` and `rerun` with code.
 */
class Drawer extends LitElement {
  static properties = {
    sandbox: { attribute: false },
    context: { attribute: false },
    live: { attribute: false },
    busy: { attribute: false },
    stamp: { attribute: false },
    tab: { state: true },
    path: { state: true },
    filter: { state: true },
    content: { state: true },
    problem: { state: true },
    loading: { state: true },
  }

  constructor() {
    super()
    this.tab = 'Variables'
    this.path = HOME
    this.filter = ''
    this.content = {}
  }

  createRenderRoot() {
    return this
  }

  willUpdate(changed) {
    if (changed.has('sandbox')) {
      this.path = HOME
      this.content = {}
    }
    const asks = ['sandbox', 'context', 'live', 'stamp', 'tab', 'path', 'busy'].some((each) => changed.has(each))
    if (asks && !this.busy) {
      this.#load()
    }
  }

  /** Reads anew what is shown; an answer that comes late for it is dropped. */
  async #load(after) {
    const { tab, path, sandbox, context } = this
    if (!this.live || !sandbox || tab === 'History' || tab === 'Volumes') {
      return
    }
    const turn = (this.turn = {})
    this.problem = null
    try {
      const read = {
        Variables: () => context && listVariables(sandbox, context),
        Files: () => listFiles(sandbox, path, after),
        Processes: () => listProcesses(sandbox),
      }[tab]
      const found = await read()
      if (turn === this.turn && found) {
        const before = after ? this.content.Files?.files ?? [] : []
        this.content = { ...this.content, [tab]: tab === 'Files' ? { ...found, files: [...before, ...found.files] } : found }
      }
    } catch (problem) {
      if (turn === this.turn) {
        this.problem = problem
      }
    }
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
          : this.tab === 'Volumes'
            ? nothing
            : html`<button class="button quiet small" ?disabled=${!this.live} @click=${() => this.#load()}>Refresh</button>`}
      </div>
      <div class="drawer-panel" id="drawer-panel" role="tabpanel" aria-labelledby="tab-${this.tab}" tabindex="0">${this.#panel()}</div>`
  }

  #panel() {
    if (this.tab === 'History') {
      return this.#history()
    }
    if (this.tab === 'Volumes') {
      return this.#volumes()
    }
    if (!this.live) {
      return html`<p class="empty soft">There is no session that runs. Run something, and it is shown here.</p>`
    }
    if (this.problem) {
      return html`<p class="empty" role="alert">${this.problem.message} <button class="button small" @click=${() => this.#load()}>Try again</button></p>`
    }
    return { Variables: () => this.#variables(), Files: () => this.#files(), Processes: () => this.#processes() }[this.tab]()
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

  #files() {
    const { files = null, next } = this.content.Files ?? {}
    const steps = this.path.split('/').filter(Boolean)
    return html`<div class="tools row wrap" @dragover=${(e) => e.preventDefault()} @drop=${this.#onDrop}>
        <nav class="crumbs mono" aria-label="Path">
          <button class="link" @click=${() => this.#enter('/')}>/</button>${steps.map(
            (each, i) => html`${i ? '/' : ''}<button class="link" @click=${() => this.#enter(`/${steps.slice(0, i + 1).join('/')}`)} aria-current=${i === steps.length - 1 ? 'location' : nothing}>${each}</button>`,
          )}
        </nav>
        <span class="grow"></span>
        <label class="button small">Upload<input class="visually-hidden" type="file" multiple aria-label="Upload files" @change=${this.#onChosen}></label>
        <button class="button small" @click=${this.#newDirectory}>New folder</button>
      </div>
      ${files === null
        ? html`<p class="empty soft">Reading…</p>`
        : files.length
          ? html`<table class="list" aria-label="Files">
              <thead><tr><th scope="col">Name</th><th scope="col" class="number">Size</th><th scope="col">Changed</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
              <tbody>${files.map((each) => this.#file(each))}</tbody>
            </table>
            ${next ? html`<p class="empty"><button class="button small" @click=${() => this.#load(next)}>Show more</button></p>` : nothing}`
          : html`<p class="empty soft">Nothing is in this folder. Upload files, or write some in code.</p>`}`
  }

  #file(file) {
    const folder = file.type === 'directory'
    return html`<tr>
      <th scope="row" class="mono">${folder
        ? html`<button class="link" @click=${() => this.#enter(file.path)}>${icon('volumes')}${file.name}/</button>`
        : html`${file.name}${file.target ? html` <span class="soft">→ ${file.target}</span>` : nothing}`}</th>
      <td class="number mono">${folder ? '' : bytes(file.size)}</td>
      <td>${when(file.modifiedAt)}</td>
      <td class="actions">
        ${file.type === 'file' ? html`<a class="button quiet small" href=${fileAddress(this.sandbox, file.path)} download=${file.name} aria-label="Download ${file.name}">${icon('down')}Download</a>` : nothing}
        <button class="button quiet small square" aria-label="Delete ${file.name}" title="Delete" @click=${() => this.#remove(file)}>${icon('trash')}</button>
      </td>
    </tr>`
  }

  #volumes() {
    return html`<div class="empty">
      <p>Volumes are folders of the project that sessions share. They are mounted when a session is opened, are not part of a snapshot, and keep
        their present contents when one is loaded: the way to hand files from one session to another.</p>
      <p><a class="button small" href="/console/help/share-files">Share files between sessions</a></p>
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

  #enter(path) {
    this.content = { ...this.content, Files: undefined }
    this.path = path
  }

  #below = (name) => (this.path === '/' ? `/${name}` : `${this.path}/${name}`)

  #onChosen = (event) => {
    this.#upload([...event.target.files])
    event.target.value = ''
  }

  #onDrop = (event) => {
    event.preventDefault()
    this.#upload([...event.dataTransfer.files])
  }

  async #upload(files) {
    for (const file of files) {
      try {
        await writeFile(this.sandbox, this.#below(file.name), file)
        toast(`${file.name} (${bytes(file.size)}) is in ${this.path}.`)
      } catch (problem) {
        toastProblem(problem)
      }
    }
    this.#load()
  }

  #newDirectory = () => {
    const input = html`<div class="field"><label for="folder-name">Name</label><input class="input mono" id="folder-name" autofocus maxlength="200"></div>`
    ask({
      title: `New folder in ${this.path}`,
      body: input,
      action: 'Create folder',
      act: async () => {
        const name = document.getElementById('folder-name').value.trim()
        if (!name || name.includes('/')) {
          throw new Error('A folder has a name without a slash.')
        }
        await makeDirectory(this.sandbox, this.#below(name))
        this.#load()
      },
    })
  }

  #remove(file) {
    ask({
      title: `Delete ${file.name}`,
      body: html`<p><span class="mono">${file.path}</span>${file.type === 'directory' ? ' and everything in it' : ''} is removed from the session. Snapshots keep theirs.</p>`,
      action: `Delete ${file.type === 'directory' ? 'folder' : 'file'}`,
      danger: true,
      act: async () => {
        await removeFile(this.sandbox, file.path)
        this.#load()
      },
    })
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
