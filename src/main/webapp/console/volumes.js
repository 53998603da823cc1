// The Volumes page: the folders that sandboxes of the project share, how full they are and who mounts them.
import { html, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { Listed, who } from './admin-parts.js'
import { choice, searchField } from './controls.js'
import { later } from './later.js'
import { live } from './live.js'
import { me } from './me.js'
import { openMenu } from './menu.js'
import { pageHead, pageState } from './page.js'
import { router } from './router.js'
import './volume.js'
import * as actions from './volume-actions.js'
import { home, room, users } from './volume-words.js'
import { listVolumes } from './volumes-list.js'
import { bytes, count, icon, number, when } from './words.js'

const TYPING = 250
const NEWS = 400
/** How full they are is told by nobody. */
const LOOK = 30_000

const SORTS = [
  ['name-asc', 'Name, A to Z', (one, other) => one.name.localeCompare(other.name)],
  ['created-desc', 'Made, newest', (one, other) => other.createdAt.localeCompare(one.createdAt)],
  ['created-asc', 'Made, oldest', (one, other) => one.createdAt.localeCompare(other.createdAt)],
  ['used-desc', 'Used, most', (one, other) => (other.usedBytes ?? -1) - (one.usedBytes ?? -1)],
  ['limit-desc', 'Limit, largest', (one, other) => other.limitBytes - one.limitBytes],
]

/** Events come to those who may read what happened. */
const isTold = () => me.can('snapshots:read', 'project:admin', 'service:admin')

export default class Volumes extends Listed {
  static properties = { typed: { state: true } }

  #soon = later(NEWS, () => this.load())
  #look = later(LOOK, () => this.load())
  #find = later(TYPING, (text) => this.#search(text.trim()))
  #listeners = [
    ['event', (event) => ['volume', 'sandbox', 'snapshot'].includes(event.detail.subject.kind) && this.#soon()],
    ['gap', () => this.#soon()],
  ]

  connectedCallback() {
    super.connectedCallback()
    this.#listeners.forEach(([type, listener]) => live.addEventListener(type, listener))
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    this.#listeners.forEach(([type, listener]) => live.removeEventListener(type, listener))
    ;[this.#soon, this.#look, this.#find].forEach((each) => each.stop())
  }

  asked() {
    return JSON.stringify([me.project.id, Boolean(this.route.item)])
  }

  /** One that is open reads itself. */
  async load() {
    if (this.isConnected) {
      this.#look()
      await (this.route.item ? this.querySelector('hf-volume')?.load() : super.load())
    }
  }

  read(signal) {
    return listVolumes(signal)
  }

  async #create() {
    const made = await actions.create(this.answer?.quota)
    if (made) {
      router.go(`/console/volumes/${made.name}`)
    }
  }

  #onSearch = (text) => {
    this.typed = text
    this.#find(text)
  }

  #search(text) {
    const now = this.route.query.get('search') ?? ''
    if (text !== now) {
      router.change({ search: text }, { replace: now !== '' && text !== '' })
    }
  }

  willUpdate(changed) {
    super.willUpdate(changed)
    if (changed.has('route') && this.typed?.trim() !== (this.route.query.get('search') ?? '')) {
      this.typed = undefined
    }
  }

  #clear = () => {
    this.#find.stop()
    this.typed = undefined
    router.change({ search: '' })
    this.querySelector('#search')?.focus()
  }

  // ---- Drawing

  render() {
    const { item } = this.route
    if (item) {
      return html`<hf-volume .reference=${item} .route=${this.route}></hf-volume>`
    }
    return html`${pageHead({
        title: 'Volumes',
        help: html`Folders that sandboxes share and that outlive them. No snapshot holds or rolls back what is in them. <a href="/console/help/share-files">Share files between sessions</a>`,
        liveDot: isTold(),
        actions: actions.mayManage() ? html`<button class="button primary" @click=${() => this.#create()}>${icon('plus')}Create volume</button>` : nothing,
      })}
      ${this.body('volumes', (answer) => (answer.volumes.length ? this.#list(answer) : this.#noneYet()))}`
  }

  #list({ volumes, quota }) {
    const { query } = this.route
    const search = query.get('search') ?? ''
    const [sort, , order] = SORTS.find(([word]) => word === query.get('sort')) ?? SORTS[0]
    const text = search.toLowerCase()
    const found = volumes.filter((each) => !text || [each.name, each.id, each.note ?? ''].some((one) => one.toLowerCase().includes(text))).sort(order)
    return html`<form class="toolbar" role="search" aria-label="Volumes" @submit=${(event) => event.preventDefault()}>
        ${searchField({ label: 'Search volumes', placeholder: 'Search name, ID or note', text: this.typed ?? search, typed: this.#onSearch })}
        ${choice('Sort', SORTS.map(([word, label]) => [word, label]), sort, (word) => router.change({ sort: word === SORTS[0][0] ? '' : word }))}
      </form>
      ${found.length ? this.#table(found) : this.#noMatch(search)}
      ${summary(found, volumes, quota)}`
  }

  #noneYet() {
    return pageState({
      symbol: 'volumes',
      role: 'status',
      title: 'No volumes yet',
      text: html`Project <strong>${me.project.name}</strong> has no volume. ${actions.mayManage()
        ? html`Make one, put files into it, and choose it when you start a session with <em>New</em> in the Workbench or a sandbox with the SDK.`
        : html`To make one takes the permission <code>sandboxes:manage</code>.`}`,
      actions: html`${actions.mayManage() ? html`<button class="button primary" @click=${() => this.#create()}>${icon('plus')}Create volume</button>` : nothing}
        <a class="button" href="/console/help/share-files">Share files between sessions</a>`,
    })
  }

  #noMatch(search) {
    return pageState({
      symbol: 'search',
      role: 'status',
      title: 'No volumes match',
      text: html`Nothing in project <strong>${me.project.name}</strong> has “${search}” in its name, ID or note.`,
      actions: html`<button class="button primary" @click=${this.#clear}>Clear search</button>`,
    })
  }

  #table(found) {
    return html`<div class="sheet volumes"><table aria-label="Volumes">
      <thead><tr><th scope="col">Name</th><th scope="col">Used</th><th scope="col">Mounted by</th><th scope="col" class="figure">Snapshots</th><th scope="col">Worker</th><th scope="col">Made</th><td></td></tr></thead>
      <tbody>${repeat(found, (each) => each.id, (each) => this.#row(each))}</tbody>
    </table></div>`
  }

  #row(volume) {
    return html`<tr data-id=${volume.id}>
      <td class="main" data-label="Name"><a class="cut block" href="/console/volumes/${volume.name}">${volume.name}</a>${volume.note ? html`<span class="soft small cut block" title=${volume.note}>${volume.note}</span>` : nothing}</td>
      <td class="used" data-label="Used">${room(volume)}</td>
      <td data-label="Mounted by">${users(volume)}</td>
      <td class="figure" data-label="Snapshots">${volume.snapshotCount ? number(volume.snapshotCount) : html`<span class="soft" aria-label="none">–</span>`}</td>
      <td data-label="Worker">${home(volume)}</td>
      <td data-label="Made">${when(volume.createdAt)}<br> <span class="soft small">by ${who(volume.createdBy)}</span></td>
      <td class="act"><button class="button quiet small square" aria-haspopup="menu" aria-expanded="false" aria-label="More for ${volume.name}" title="More"
        @click=${(event) => openMenu(event.currentTarget, actions.menu(volume, () => this.load(), () => this.load()))}>${icon('more')}</button></td>
    </tr>`
  }
}

function summary(found, volumes, quota) {
  const shown = found.length < volumes.length ? `${count(found.length, 'volume')} of ${number(volumes.length)}` : count(volumes.length, 'volume')
  return html`<p class="turns soft"><span role="status">${shown}</span><span class="grow"></span>
    <span>${number(quota.volumes)} of ${number(quota.volumesLimit)} volumes, ${bytes(quota.bytes)} of ${bytes(quota.bytesLimit)} given to them</span></p>`
}

customElements.define('hf-volumes', Volumes)
