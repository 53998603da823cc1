// One volume: what it is, and the files that are in it.
import { html, nothing } from 'lit'
import { who } from './admin-parts.js'
import { copied } from './copy.js'
import { problemNotice } from './dialog.js'
import './files.js'
import { get } from './http.js'
import { later } from './later.js'
import { me } from './me.js'
import { openMenu } from './menu.js'
import { failedState, Page, pageHead, pageState } from './page.js'
import { volumePlace } from './places.js'
import { router } from './router.js'
import * as actions from './volume-actions.js'
import { home, room, users } from './volume-words.js'
import { icon, number, when } from './words.js'

const NEWS = 400

class Volume extends Page {
  static properties = { reference: { attribute: false }, volume: { state: true }, problem: { state: true } }

  /** What somebody did to its files changes how full it is. */
  #soon = later(NEWS, () => this.load())
  #asking

  disconnectedCallback() {
    super.disconnectedCallback()
    this.#soon.stop()
    this.#asking?.abort()
  }

  willUpdate(changed) {
    if (changed.has('reference')) {
      this.volume = this.problem = undefined
      this.load()
    }
  }

  /** An answer that comes after a newer one was asked for is dropped. */
  async load() {
    this.#asking?.abort()
    const { signal } = (this.#asking = new AbortController())
    try {
      const volume = await get(me.api('volumes', this.reference), { signal })
      Object.assign(this, { volume, problem: undefined })
    } catch (problem) {
      if (problem.name !== 'AbortError') {
        this.problem = problem
      }
    }
  }

  /** Whoever mounts it writes without a word to anybody. */
  #refresh = () => {
    this.querySelector('hf-files')?.load()
    this.load()
  }

  #gone = () => router.go('/console/volumes')

  render() {
    const { volume, problem } = this
    if (problem && (!volume || problem.status === 404)) {
      return html`<h1 class="visually-hidden">Volume</h1>${problem.status === 404
        ? pageState({ symbol: 'search', role: 'alert', title: 'This volume is not there', text: problem.message, actions: html`<a class="button" href="/console/volumes">All volumes</a>` })
        : failedState('The volume could not be read', problem, () => this.load())}`
    }
    if (!volume) {
      return html`<h1 class="visually-hidden">Volume</h1><div aria-busy="true">${pageState({ symbol: 'spinner', title: 'Loading', role: 'status' })}</div>`
    }
    return html`<p class="crumb"><a href="/console/volumes">Volumes</a></p>
      ${pageHead({ title: volume.name, help: volume.note ? html`<span class="note">${volume.note}</span>` : nothing, actions: this.#actions(volume) })}
      ${problem ? html`<div class="band">${problemNotice(problem)}</div>` : nothing}
      ${facts(volume)} ${this.#files(volume)}`
  }

  #actions(volume) {
    return html`<div class="row">
      <button class="button" @click=${this.#refresh}>Refresh</button>
      <button class="button square" aria-haspopup="menu" aria-expanded="false" aria-label="More for ${volume.name}" title="More"
        @click=${(event) => openMenu(event.currentTarget, actions.menu(volume, () => this.load(), this.#gone))}>${icon('more')}</button></div>`
  }

  #files(volume) {
    if (!actions.mayUse()) {
      return pageState({
        symbol: 'keys',
        title: 'You may not see what is in it',
        text: html`It needs the permission <code>sandboxes:use</code>, which the key <strong>${me.who.name}</strong> does not have.`,
      })
    }
    const { query } = this.route
    return html`<section class="card" aria-label="Files of ${volume.name}">
      <hf-files .place=${volumePlace(volume)} .path=${clean(query.get('path'))} .page=${Number(query.get('page')) || 1} .find=${query.get('find') ?? ''}
        .link=${(values) => router.with(values)} @go=${this.#go} @changed=${this.#soon}></hf-files>
    </section>`
  }

  /** What is typed is no step of its own to go back to. */
  #go = ({ detail }) => router.change(detail, { replace: detail.find !== undefined && detail.path === undefined })
}

/** As the server writes it: a slash in front, none at the end, and no two in a row. */
const clean = (path) => `/${(path ?? '').split('/').filter(Boolean).join('/')}`

function facts(volume) {
  const fact = (label, value) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`
  return html`<dl class="strip volume-facts">
    ${fact('Used', room(volume))}
    ${fact('Mounted by', users(volume))}
    ${fact('Snapshots', volume.snapshotCount ? html`${number(volume.snapshotCount)} <span class="soft">need it</span>` : html`<span class="soft">none</span>`)}
    ${fact('Worker', home(volume))}
    ${fact('Made', html`${when(volume.createdAt)} <span class="soft">by ${who(volume.createdBy)}</span>`)}
    ${fact('ID', copied(volume.id, 'ID'))}
  </dl>`
}

customElements.define('hf-volume', Volume)
