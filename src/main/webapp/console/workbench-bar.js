// The session bar: what state the session is in, where it came from, what it runs with, and what is left of its time.
import { html, LitElement, nothing } from 'lit'
import { took } from './workbench-output.js'
import { bytes, duration, icon, shortId, when } from './words.js'

const SOON = 300

const STATES = {
  starting: ['progress', 'progress', 'Starting'],
  running: ['saved', 'done', 'Running'],
  snapshotting: ['progress', 'progress', 'Saving'],
  pausing: ['progress', 'progress', 'Pausing'],
  paused: ['waiting', 'waiting', 'Paused'],
  resuming: ['progress', 'progress', 'Continuing'],
  ended: ['failed', 'failed', 'Ended'],
}

/** `<hf-session-bar>`: dispatches `save`, `load`, `end`, `extend` and `new`. */
class SessionBar extends LitElement {
  static properties = { open: { attribute: false }, opening: { attribute: false }, busy: { attribute: false } }

  createRenderRoot() {
    return this
  }

  connectedCallback() {
    super.connectedCallback()
    this.timer = setInterval(() => this.requestUpdate(), 1_000)
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    clearInterval(this.timer)
  }

  willUpdate(changed) {
    if (changed.has('open') && this.open) {
      // The server's clock counts, not this machine's.
      this.skew = new Date(this.open.now).getTime() - Date.now()
    }
  }

  render() {
    const { open, opening } = this
    return html`<div class="bar" role="group" aria-label="Session">
      <div class="about">${opening ? this.#opening() : open ? this.#facts() : html`<span class="badge">${icon('info')}No session</span><span class="soft cut">Run opens one.</span>`}</div>
      <div class="row">
        ${this.#button('save', 'Save', !this.#isLive || this.busy, this.busy ? 'Something runs. Wait for it, or interrupt it, then save.' : '', 'primary')}
        ${this.#button('load', 'Load', Boolean(opening))}
        ${this.#button('new', 'New', Boolean(opening))}
        ${this.#button('end', 'End', !open || open.state === 'ended' || Boolean(opening))}
      </div>
    </div>`
  }

  get #isLive() {
    return this.open?.state === 'running' && !this.opening
  }

  #opening() {
    return html`<span class="badge progress"><span class="spinner"></span>Opening a session</span>
      <span class="mono small soft" aria-hidden="true">${took(Date.now() - this.opening.since)}</span>`
  }

  #facts() {
    const { open } = this
    const [meaning, symbol, word] = STATES[open.state]
    const live = open.state !== 'ended'
    return html`<span class="badge ${meaning}" role="status">${icon(symbol)}${word}</span>
      <span class="fact mono" title="Session ${open.id}">${shortId(open.id)}</span>
      <span class="fact"><span class="soft">From</span> ${open.snapshotId
        ? html`<a class="mono" href="/console/snapshots/${open.snapshotId}" title=${open.snapshotId}>${shortId(open.snapshotId)}</a>`
        : html`<span class="mono">${open.templateId}</span>`}</span>
      ${open.profile ? html`<span class="fact"><span class="soft">Profile</span> <span class="mono">${open.profile}</span>${open.internet === false ? ', no internet access' : ''}</span>` : nothing}
      ${open.startedAt ? html`<span class="fact"><span class="soft">Started</span> ${when(open.startedAt)}</span>` : nothing}
      ${live && open.state !== 'paused' ? this.#left() : nothing}
      ${live && open.usage ? this.#usage() : nothing}`
  }

  #left() {
    const seconds = Math.max(0, (new Date(this.open.endAt).getTime() - Date.now() - this.skew) / 1000)
    const soon = seconds < SOON
    return html`<span class="fact left ${soon ? 'soon' : ''}"><span class="soft">Time left</span>
      <strong class="mono">${soon ? `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}` : duration(seconds)}</strong>
      <button class="button quiet small" @click=${() => this.#tell('extend')}>Extend</button></span>`
  }

  #usage() {
    const { memoryUsed, memoryTotal, diskUsed, diskTotal } = this.open.usage
    return html`${this.#meter('Memory', memoryUsed, memoryTotal)}
      <span class="fact usage" title="Disk: ${bytes(diskUsed)} of ${bytes(diskTotal)}"><span class="soft">Disk</span> <span class="mono small">${bytes(diskUsed)}</span></span>`
  }

  #meter(label, used, total) {
    const part = total > 0 ? Math.min(1, used / total) : 0
    const level = part > 0.9 ? 'failed' : part > 0.75 ? 'waiting' : ''
    return html`<span class="fact usage" title="${label}: ${bytes(used)} of ${bytes(total)}"><span class="soft">${label}</span>
      <meter class=${level} min="0" max="1" value=${part} aria-label="${label}, ${bytes(used)} of ${bytes(total)}"></meter>
      <span class="mono small">${bytes(used)}</span></span>`
  }

  #button(what, label, disabled, title = '', kind = '') {
    // Disabled by word, so that its reason can be read with the keyboard.
    return html`<button class="button small ${kind}" aria-disabled=${disabled ? 'true' : 'false'} title=${title || nothing}
      @click=${() => disabled || this.#tell(what)}>${label}</button>`
  }

  #tell(what) {
    this.dispatchEvent(new CustomEvent(what))
  }
}
customElements.define('hf-session-bar', SessionBar)
