// How times, sizes, counts and identifiers are written.
import { html, LitElement } from 'lit'

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB']
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Three figures in binary units: 182 MiB, 6.10 GiB. */
export function bytes(n) {
  if (n < 1024) {
    return `${n} B`
  }
  let value = n
  let unit = -1
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${value.toFixed(value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2)} ${UNITS[unit]}`
}

const NUMBERS = new Intl.NumberFormat('en')

export const number = (n) => NUMBERS.format(n)

/** `1 snapshot`, `1,204 snapshots`. */
export const count = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`

export const shortId = (id) => (id.length > 12 ? `${id.slice(0, 8)}…` : id)

/** A snapshot as one calls it: by its name, the one it had, or its ID. */
export const called = (snapshot) => snapshot.names[0] ?? snapshot.formerName ?? shortId(snapshot.id)

/** `3 min ago`, `in 7 days`; within ten seconds `just now`. */
export function relative(at, now = Date.now()) {
  const seconds = Math.round((new Date(at).getTime() - now) / 1000)
  const size = Math.abs(seconds)
  if (size < 10) {
    return seconds > 0 ? 'in a moment' : 'just now'
  }
  const text = duration(size)
  return seconds < 0 ? `${text} ago` : `in ${text}`
}

/** `45 s`, `3 min`, `5 h`, `8 days`, rounded to the unit one would say. */
export function duration(seconds) {
  if (seconds < 55) {
    return `${Math.round(seconds)} s`
  }
  if (seconds < 55 * MINUTE) {
    return `${Math.max(1, Math.round(seconds / MINUTE))} min`
  }
  if (seconds < 36 * HOUR) {
    return `${Math.max(1, Math.round(seconds / HOUR))} h`
  }
  return seconds < 700 * DAY ? count(Math.round(seconds / DAY), 'day') : count(Math.round(seconds / DAY / 365), 'year')
}

const EXACT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })

/** In the viewer's zone, to the second. */
export const exact = (at) => EXACT.format(new Date(at))

/** How often what is that old has to be written anew, in milliseconds. */
function pace(at) {
  const size = Math.abs(new Date(at).getTime() - Date.now()) / 1000
  return size < MINUTE ? 5_000 : size < HOUR ? 30_000 : 300_000
}

/** A moment, relative and kept so; the exact one on hover and on focus. `<hf-time at=ISO>` */
class Time extends LitElement {
  static properties = { at: {}, end: { type: Boolean } }

  createRenderRoot() {
    return this
  }

  updated() {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.requestUpdate(), pace(this.at))
  }

  connectedCallback() {
    super.connectedCallback()
    this.requestUpdate()
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    clearTimeout(this.timer)
  }

  render() {
    return html`<time class="tipped ${this.end ? 'end' : ''}" datetime=${this.at} tabindex="0">${relative(this.at)}<span class="tip"><span class="visually-hidden">, </span>${exact(this.at)}</span></time>`
  }
}
customElements.define('hf-time', Time)

export const when = (at, { end = false } = {}) => (at ? html`<hf-time .at=${at} ?end=${end}></hf-time>` : html`<span class="soft" aria-label="none">–</span>`)

/** An icon of the sprite; decoration, so its meaning stands beside it in words. */
export const icon = (name) => html`<svg class="icon" aria-hidden="true"><use href="/console/icons.svg#${name}"></use></svg>`
