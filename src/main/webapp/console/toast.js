// Short news at the edge, read out by screen readers; what failed stays until it is dismissed.
import { html, nothing, render } from 'lit'
import { icon } from './words.js'

const PATIENCE = 6_000
const MOST = 4

let region
let toasts = []
let last = 0

/** `action` is { label, run }. */
export function toast(text, { failed = false, requestId, action } = {}) {
  const id = ++last
  toasts = [...toasts, { id, text, failed, requestId, action }].slice(-MOST)
  draw()
  if (!failed) {
    setTimeout(() => dismiss(id), PATIENCE)
  }
}

/** A refusal as a toast. */
export const toastProblem = (problem) => toast(problem.message, { failed: true, requestId: problem.requestId })

function dismiss(id) {
  toasts = toasts.filter((each) => each.id !== id)
  draw()
}

function draw() {
  if (!region) {
    region = document.createElement('section')
    region.className = 'toasts'
    region.popover = 'manual'
    region.setAttribute('aria-label', 'Notifications')
    region.setAttribute('aria-live', 'polite')
    document.body.append(region)
  }
  // Above dialogs, which are in the top layer too: the last one shown is on top.
  region.hidePopover()
  if (toasts.length) {
    region.showPopover()
  }
  render(toasts.map(view), region)
}

function view(each) {
  return html`<div class="toast ${each.failed ? 'failed' : ''}" role=${each.failed ? 'alert' : nothing}>
    ${icon(each.failed ? 'failed' : 'done')}
    <p>${each.text}${each.requestId ? html`<br> <span class="request">Request <span class="mono">${each.requestId}</span></span>` : nothing}</p>
    ${each.action
      ? html`<button class="button quiet small" @click=${() => (dismiss(each.id), each.action.run())}>${each.action.label}</button>`
      : nothing}
    <button class="button quiet small square" aria-label="Dismiss" @click=${() => dismiss(each.id)}>${icon('close')}</button>
  </div>`
}
