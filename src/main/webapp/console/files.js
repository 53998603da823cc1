// The files of a place (places.js): found, opened, uploaded, downloaded, made, renamed and removed. Of the Workbench's drawer
// and of the Volumes page.
import { html, LitElement, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import * as actions from './file-actions.js'
import { later } from './later.js'
import { failedState, pageState } from './page.js'
import { above, nameOf } from './places.js'
import { uploadsOf, uploadsView } from './uploads.js'
import { bytes, count, icon, number, when } from './words.js'

/** How many rows are drawn at once, and how many entries are read before somebody asks for more. */
const ROWS = 200
const READ = 10_000
const ARRIVING = 200

/**
 * `<hf-files>`: the folder `path` of `place`, its rows `page` (from 1), and only names with `find` in them. Dispatches `go`
 * with what of these is to change, and `changed` when something was. `link` gives an address for that, where there is one;
 * `stamp` changes when others may have changed something.
 */
class Files extends LitElement {
  static properties = {
    place: { attribute: false },
    path: { attribute: false },
    page: { attribute: false },
    find: { attribute: false },
    link: { attribute: false },
    stamp: { attribute: false },
    entries: { state: true },
    rest: { state: true },
    reading: { state: true },
    problem: { state: true },
    over: { state: true },
  }

  #asking
  #uploads
  #most = READ
  #entered = false
  #redraw = () => this.requestUpdate()
  /** Many files that arrive are one look. */
  #soon = later(ARRIVING, () => this.load())
  #arrived = (event) => {
    this.#tell('changed')
    if (event.detail === this.path) {
      this.#soon()
    }
  }

  constructor() {
    super()
    this.path = '/'
    this.page = 1
    this.find = ''
  }

  createRenderRoot() {
    return this
  }

  connectedCallback() {
    super.connectedCallback()
    if (this.#uploads) {
      this.#follow(this.#uploads)
      this.load()
    }
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    this.#asking?.abort()
    this.#soon.stop()
    this.#follow(null)
  }

  #follow(uploads) {
    this.#uploads?.removeEventListener('change', this.#redraw)
    this.#uploads?.removeEventListener('arrived', this.#arrived)
    uploads?.addEventListener('change', this.#redraw)
    uploads?.addEventListener('arrived', this.#arrived)
    this.#uploads = uploads ?? this.#uploads
  }

  willUpdate(changed) {
    const other = changed.has('place') && changed.get('place')?.key !== this.place.key
    if (other) {
      this.#follow(uploadsOf(this.place))
    }
    if (other || changed.has('path')) {
      this.entries = this.problem = null
      this.#most = READ
      this.load()
    } else if (changed.has('stamp')) {
      this.load()
    }
  }

  updated() {
    if (this.#entered && (this.entries || this.problem)) {
      this.#entered = false
      this.querySelector('[aria-current=location]')?.focus()
    }
  }

  /** Page after page of the server's; the first, or what there was before, is shown meanwhile. */
  load = async () => {
    this.#asking?.abort()
    const asking = (this.#asking = new AbortController())
    const { place, path } = this
    const fresh = !this.entries
    const found = []
    let after
    this.reading = true
    try {
      do {
        const page = await place.list(path, after, asking.signal)
        if (page.type && page.type !== 'directory') {
          throw new Error(`${path} is no folder but a ${page.type}.`)
        }
        found.push(...page.entries)
        after = page.next
        if (fresh && !this.entries) {
          this.entries = sorted(found)
        }
      } while (after && found.length < this.#most)
      Object.assign(this, { entries: sorted(found), rest: Boolean(after), problem: null })
    } catch (problem) {
      if (problem.name === 'AbortError') {
        return
      }
      this.problem = problem
    }
    if (asking === this.#asking) {
      this.reading = false
    }
  }

  // ---- Doing

  #tell(what, detail) {
    this.dispatchEvent(new CustomEvent(what, { detail }))
  }

  #enter(path) {
    this.#entered = path !== this.path
    this.#tell('go', { path, page: '', find: '' })
  }

  #onChosen = (event) => {
    this.#uploads.add(this.path, [...event.target.files])
    event.target.value = ''
  }

  #onDrag = (event) => {
    if ([...event.dataTransfer.types].includes('Files')) {
      event.preventDefault()
      this.over = event.type !== 'dragleave' || this.contains(event.relatedTarget)
    }
  }

  #onDrop = (event) => {
    event.preventDefault()
    this.over = false
    const items = [...event.dataTransfer.items].filter((each) => each.kind === 'file')
    const folders = new Set(items.map((each) => each.webkitGetAsEntry?.()).filter((each) => each?.isDirectory).map((each) => each.name))
    const files = [...event.dataTransfer.files]
    this.#uploads.add(
      this.path,
      files.filter((each) => !folders.has(each.name)),
      [...folders].map((each) => [each, new Error('It is a folder. Make one here, open it, and drop the files into it.')]),
    )
  }

  /** What an action gave; nothing where it was not wanted. */
  async #then(done) {
    if (await done) {
      this.#tell('changed')
      this.load()
    }
  }

  // ---- Drawing

  #called = (path) => (path === '/' ? this.place.root : nameOf(path))

  render() {
    return html`<div class="files ${this.over ? 'over' : ''}" @dragenter=${this.#onDrag} @dragover=${this.#onDrag} @dragleave=${this.#onDrag} @drop=${this.#onDrop}>
      <div class="tools row wrap">
        ${this.#crumbs()}
        <span class="grow"></span>
        <input class="input" type="search" aria-label="Find a name" placeholder="Find a name" autocomplete="off" spellcheck="false" .value=${this.find} @input=${(event) => this.#tell('go', { find: event.target.value, page: '' })}>
        <label class="button small">${icon('up')}Upload<input class="visually-hidden" type="file" multiple aria-label="Upload files" @change=${this.#onChosen}></label>
        <button class="button small" @click=${() => this.#then(actions.makeDirectory(this.place, this.path))}>New folder</button>
      </div>
      ${uploadsView(this.#uploads)}
      <div aria-busy=${this.reading ? 'true' : 'false'}>${this.#body()}</div>
    </div>`
  }

  /** The last step is where one is: the focus goes there when a folder is entered. */
  #crumbs() {
    const steps = this.path.split('/').filter(Boolean)
    const paths = ['/', ...steps.map((each, i) => `/${steps.slice(0, i + 1).join('/')}`)]
    return html`<nav class="crumbs mono" aria-label="Path">${paths.map((path, i) => {
      const here = i === paths.length - 1
      return html`${i > 1 || (i === 1 && this.place.root !== '/') ? html`<span class="soft">/</span>` : nothing}${this.#step(path, this.#called(path), here)}`
    })}</nav>`
  }

  #step(path, label, here = false) {
    return this.link
      ? html`<a class="link" href=${this.link({ path: path === '/' ? '' : path, page: '', find: '' })} aria-current=${here ? 'location' : nothing} @click=${(event) => (this.#entered = path !== this.path && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey))}>${label}</a>`
      : html`<button class="link" aria-current=${here ? 'location' : nothing} @click=${() => this.#enter(path)}>${label}</button>`
  }

  #body() {
    const { entries, problem, reading } = this
    if (problem && !entries) {
      return problem.reason === 'file_not_found' && this.path !== '/'
        ? pageState({ symbol: 'search', role: 'alert', title: 'There is no such folder', text: problem.message, actions: this.#up() })
        : failedState('The folder could not be read', problem, this.load)
    }
    if (!entries) {
      return html`<p class="empty soft" role="status">Reading…</p>`
    }
    const stale = problem ? html`<p class="empty problem" role="alert">${problem.message} What is shown may be old. <button class="button small" @click=${this.load}>Try again</button></p>` : nothing
    if (!entries.length) {
      return html`${stale}<p class="empty soft" role="status">Nothing is in this folder. Upload files, drop them here, or write some in code.</p>`
    }
    const text = this.find.trim().toLowerCase()
    const found = text ? entries.filter((each) => each.name.toLowerCase().includes(text)) : entries
    return found.length
      ? html`${stale}${this.#table(found)}${this.#pager(found, reading)}`
      : html`${stale}<p class="empty soft" role="status">No name has “${this.find.trim()}” in it${this.rest ? ` among the first ${number(entries.length)}` : ''}. <button class="button small" @click=${() => this.#tell('go', { find: '', page: '' })}>Clear</button></p>`
  }

  #up() {
    const path = above(this.path)
    return this.link
      ? html`<a class="button" href=${this.link({ path: path === '/' ? '' : path, page: '', find: '' })} @click=${() => (this.#entered = true)}>Go up</a>`
      : html`<button class="button" @click=${() => this.#enter(path)}>Go up</button>`
  }

  #table(found) {
    const page = this.#page(found)
    return html`<table class="list" aria-label="Files">
      <thead><tr><th scope="col">Name</th><th scope="col" class="number">Size</th><th scope="col" class="changed">Changed</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
      <tbody>${repeat(found.slice((page - 1) * ROWS, page * ROWS), (each) => each.pathBytes ?? each.path, (each) => this.#row(each))}</tbody>
    </table>`
  }

  /** A page that is not there is the last one. */
  #page = (found) => Math.min(Math.max(1, Math.floor(this.page) || 1), Math.ceil(found.length / ROWS))

  #row(entry) {
    const { name, type, size, modifiedAt, target, pathBytes } = entry
    const folder = type === 'directory'
    return html`<tr>
      <th scope="row" class="mono name"><span class="row">${icon(folder ? 'volumes' : 'file')}<span class="cut" title=${name}>${folder && !pathBytes ? this.#step(entry.path, `${name}/`) : name}${target ? html` <span class="soft">→ ${target}</span>` : nothing}</span></span></th>
      <td class="number mono">${type === 'file' ? bytes(size) : html`<span class="soft">${folder ? '' : type}</span>`}</td>
      <td class="changed">${when(modifiedAt)}</td>
      <td class="actions">
        ${type === 'file' ? html`<a class="button quiet small" href=${this.place.address(entry)} download=${name} aria-label="Download ${name}">${icon('down')}<span class="words">Download</span></a>` : nothing}
        ${this.place.move ? html`<button class="button quiet small" aria-label="Rename or move ${name}" @click=${() => this.#then(actions.move(this.place, entry))}>Rename</button>` : nothing}
        <button class="button quiet small square" aria-label="Delete ${name}" title="Delete" @click=${() => this.#then(actions.remove(this.place, entry))}>${icon('trash')}</button>
      </td>
    </tr>`
  }

  #pager(found, reading) {
    const page = this.#page(found)
    const pages = Math.ceil(found.length / ROWS)
    const total = `${number(found.length)}${this.rest ? ' and more' : ''}`
    const text = pages > 1 ? `${number((page - 1) * ROWS + 1)}–${number(Math.min(found.length, page * ROWS))} of ${total}` : count(found.length, 'entry', 'entries')
    const turn = (label, to) =>
      html`<button class="button small" ?disabled=${to < 1 || to > pages} @click=${() => this.#tell('go', { page: to === 1 ? '' : to })}>${label}</button>`
    return html`<nav class="row wrap turns" aria-label="Pages">
      <span class="soft small" role="status">${text}${reading ? ', reading…' : ''}</span>
      <span class="grow"></span>
      ${this.rest && !reading ? html`<button class="button small" @click=${this.#readOn}>Read ${number(READ)} more</button>` : nothing}
      ${pages > 1 ? html`${turn('Previous', page - 1)} ${turn('Next', page + 1)}` : nothing}
    </nav>`
  }

  #readOn = () => {
    this.#most += READ
    this.load()
  }
}
customElements.define('hf-files', Files)

/** Folders first, and each by name as people order it. */
const NAMES = new Intl.Collator('en', { numeric: true })
const sorted = (entries) => [...entries].sort((one, other) => (other.type === 'directory') - (one.type === 'directory') || NAMES.compare(one.name, other.name))
