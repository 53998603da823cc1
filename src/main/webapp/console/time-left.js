// How long something lives yet, running down before one's eyes: by the second in its last two minutes.
import { html, LitElement } from 'lit'
import { duration, exact, icon } from './words.js'

const CLOSE = 120
const SHORT = 60

class TimeLeft extends LitElement {
  static properties = { at: {} }

  createRenderRoot() {
    return this
  }

  connectedCallback() {
    super.connectedCallback()
    this.requestUpdate()
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    clearTimeout(this.timer)
  }

  updated() {
    clearTimeout(this.timer)
    const left = this.#left()
    this.timer = setTimeout(() => this.requestUpdate(), left > -CLOSE && left < CLOSE ? 1_000 : 10_000)
  }

  #left() {
    return Math.round((new Date(this.at).getTime() - Date.now()) / 1000)
  }

  render() {
    const left = this.#left()
    const text = left <= 0 ? 'over' : left < CLOSE ? `${left} s` : duration(left)
    return html`<time class="tipped left ${left < SHORT ? 'short' : ''}" datetime=${this.at} tabindex="0">${left < SHORT ? icon('waiting') : ''}${text}<span class="tip"><span class="visually-hidden">, until </span>${exact(this.at)}</span></time>`
  }
}
customElements.define('hf-left', TimeLeft)
