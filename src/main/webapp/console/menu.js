// Menus at a button: arrow keys, Home, End, Escape, and the first letter.
import { html, nothing, render } from 'lit'
import { icon } from './words.js'

let open = null

/**
 * Shows a menu at the element that asked for it. Items: { label, run } or { label, href }, with `icon`, `danger`, `checked`;
 * { caption } for a line of text; '-' for a line.
 */
export function openMenu(anchor, items, label = anchor.getAttribute('aria-label') ?? anchor.textContent.trim()) {
  if (open) {
    const same = open.anchor === anchor
    close()
    if (same) {
      return
    }
  }
  const element = document.createElement('div')
  element.className = 'menu'
  element.popover = 'auto'
  element.setAttribute('role', 'menu')
  element.setAttribute('aria-label', label)
  render(items.map(view), element)
  // Inside a dialog that is open only what is in it can be used.
  ;(anchor.closest('dialog') ?? document.body).append(element)
  element.addEventListener('keydown', onKey)
  element.addEventListener('toggle', (event) => event.newState === 'closed' && element.isConnected && close())
  element.showPopover()
  place(element, anchor)
  const again = () => (element.isConnected ? place(element, anchor) : removeEventListener('resize', again))
  addEventListener('resize', again)
  anchor.setAttribute('aria-expanded', 'true')
  open = { element, anchor }
  entries(element)[0]?.focus()
}

function view(item) {
  if (item === '-') {
    return html`<hr role="separator">`
  }
  if (item.caption) {
    return html`<div class="caption" role="presentation">${item.caption}</div>`
  }
  const inside = html`${item.icon ? icon(item.icon) : nothing}<span class="grow">${item.label}</span>${item.checked ? icon('check') : nothing}`
  const role = item.checked === undefined ? 'menuitem' : 'menuitemradio'
  const checked = item.checked === undefined ? nothing : String(item.checked)
  return item.href
    ? html`<a role=${role} aria-checked=${checked} tabindex="-1" href=${item.href} @click=${close}>${inside}</a>`
    : html`<button role=${role} aria-checked=${checked} tabindex="-1" class=${item.danger ? 'danger' : ''} @click=${() => (close(), item.run())}>${inside}</button>`
}

const entries = (element) => [...element.querySelectorAll('[role^=menuitem]')]

function close() {
  const { element, anchor } = open ?? {}
  open = null
  if (element) {
    const inside = element.contains(document.activeElement) || document.activeElement === document.body
    element.remove()
    anchor.setAttribute('aria-expanded', 'false')
    if (inside) {
      anchor.focus()
    }
  }
}

function onKey(event) {
  const all = entries(event.currentTarget)
  const at = all.indexOf(document.activeElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
  if (event.key === 'Tab') {
    close()
  } else if (next !== undefined) {
    event.preventDefault()
    all.at(next % all.length)?.focus()
  } else if (event.key.length === 1 && /\S/.test(event.key)) {
    const letter = event.key.toLowerCase()
    const found = [...all.slice(at + 1), ...all].find((each) => each.textContent.trim().toLowerCase().startsWith(letter))
    found?.focus()
  }
}

function place(element, anchor) {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = element
  const below = at.bottom + 4 + height <= innerHeight || at.top < height + 4
  const left = at.left + width <= innerWidth - 8 ? at.left : at.right - width
  element.style.left = `${Math.max(8, left)}px`
  element.style.top = `${below ? Math.min(at.bottom + 4, innerHeight - height - 8) : at.top - height - 4}px`
}
