// What every page is: a custom element in light DOM with its address, the session and its head.
import { html, LitElement, nothing } from 'lit'
import { live } from './live.js'
import { me } from './me.js'
import { toastProblem } from './toast.js'
import { exact, icon, relative } from './words.js'

export class Page extends LitElement {
  /** The route of the router; changes with the address. */
  static properties = { route: { attribute: false } }

  createRenderRoot() {
    return this
  }
}

/** The head of a page: title, at most one line of help, the main action at the right. */
export function pageHead({ title, help = nothing, actions = nothing, liveDot = false }) {
  return html`<header class="head">
    <div class="titles">
      <h1>${title}${liveDot ? html`<hf-live></hf-live>` : nothing}</h1>
      ${help === nothing ? nothing : html`<p class="help">${help}</p>`}
    </div>
    ${actions}
  </header>`
}

/** One of the states in which there is no list: what it is, why, and the next step. */
export function pageState({ symbol, title, text, actions = nothing, role = nothing }) {
  return html`<div class="state" role=${role}>
    ${symbol === 'spinner' ? html`<span class="spinner"></span>` : icon(symbol)}
    <h2>${title}</h2>
    ${text ? html`<p>${text}</p>` : nothing}
    <div class="row">${actions}</div>
  </div>`
}

/** A refusal as a state, with another try. */
export function failedState(title, problem, retry) {
  return pageState({
    symbol: 'failed',
    role: 'alert',
    title,
    text: html`${problem.message}${problem.requestId ? html`<br> <span class="request">Request <span class="mono">${problem.requestId}</span></span>` : nothing}`,
    actions: html`<button class="button" @click=${retry}>Try again</button>`,
  })
}

/** Who may not, and whom to ask. */
export function forbiddenState(needs) {
  return pageState({
    symbol: 'keys',
    title: 'You have no access to this page',
    text: html`It needs the permission ${needs.map((each, i) => html`${i ? ' or ' : ''}<code>${each}</code>`)}, which ${me.who.projects ? '' : 'the key '}
      <strong>${me.who.name}</strong> does not have. Ask whoever administers ${me.project?.name ?? 'the project'}, or sign in ${me.who.projects ? 'as somebody else' : 'with another key'}.`,
    actions: html`<button class="button" @click=${() => me.signOut().catch(toastProblem)}>Sign in ${me.who.projects ? 'as somebody else' : 'with another key'}</button>`,
  })
}

const LIVE = {
  connecting: 'Connecting',
  connected: 'Live',
  reconnecting: 'Reconnecting',
}

/** The dot that says whether the page follows what happens. */
class LiveDot extends Page {
  #redraw = () => this.requestUpdate()

  connectedCallback() {
    super.connectedCallback()
    live.addEventListener('change', this.#redraw)
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    live.removeEventListener('change', this.#redraw)
  }

  render() {
    const text = live.state === 'stale' ? `Stale since ${relative(live.since)}` : LIVE[live.state]
    return html`<span class="live" data-state=${live.state} title=${`${text} (${exact(live.since)})`}>${text}</span>`
  }
}
customElements.define('hf-live', LiveDot)
