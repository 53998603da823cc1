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

/** An identifier that a press copies; shortened unless it is wanted whole. */
export const copied = (text, what, { whole = false } = {}) =>
  html`<button type="button" class="copied mono ${whole ? 'whole' : ''}" title=${whole ? 'Copy' : `Copy ${text}`} aria-label="Copy ${what} ${text}" @click=${() => copy(text, what)}>${whole ? text : shortId(text)}${icon('copy')}</button>`
