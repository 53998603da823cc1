// Something short into the clipboard.
import { html } from 'lit'
import { toast } from './toast.js'
import { icon, shortId } from './words.js'

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text)
    toast(`${what} copied`)
  } catch {
    toast(html`This browser does not let the page copy. Here it is: <span class="mono">${text}</span>`, { failed: true })
  }
}

/** An identifier that a press copies: shortened, `whole`, or as much of it as there is room for (`cut`). */
export const copied = (text, what, { whole = false, cut = false } = {}) =>
  html`<button type="button" class="copied mono ${whole ? 'whole' : ''}" title=${whole ? 'Copy' : `Copy ${text}`} aria-label="Copy ${what} ${text}" @click=${() => copy(text, what)}>${cut ? html`<span class="cut">${text}</span>` : whole ? text : shortId(text)}${icon('copy')}</button>`

/** A button that copies what stands beside it. */
export const copyButton = (text, what) =>
  html`<button type="button" class="button quiet small square" aria-label="Copy ${what}" title="Copy" @click=${() => copy(text, what)}>${icon('copy')}</button>`
