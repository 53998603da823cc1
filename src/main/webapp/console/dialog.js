// Modal dialogs: the browser's own, which keeps the focus inside and gives it back.
import { html, nothing, render } from 'lit'
import { Problem } from './http.js'
import { icon } from './words.js'

let last = 0

/**
 * Opens one. `view(dialog)` gives { title, body, actions } as templates; `dialog.update()` draws it anew,
 * `dialog.close(value)` ends it. Escape closes it with undefined unless `view` says { busy: true }.
 */
export function openDialog(view, { large = false } = {}) {
  const element = document.createElement('dialog')
  const id = `dialog-${++last}`
  element.className = large ? 'large' : ''
  element.setAttribute('aria-labelledby', id)
  let ended
  const dialog = {
    element,
    closed: new Promise((resolve) => (ended = resolve)),
    update() {
      const { title, body, actions = nothing, busy = false } = view(dialog)
      dialog.busy = busy
      render(
        html`<div class="title">
            <h2 id=${id} tabindex="-1">${title}</h2>
            <button class="button quiet small square" aria-label="Close" ?disabled=${busy} @click=${() => dialog.close()}>${icon('close')}</button>
          </div>
          <div class="body">${body}</div>
          ${actions === nothing ? nothing : html`<div class="actions">${actions}</div>`}`,
        element,
      )
    },
    close(value) {
      if (element.isConnected) {
        element.close()
        element.remove()
        ended(value)
      }
    },
  }
  element.addEventListener('cancel', (event) => {
    event.preventDefault()
    if (!dialog.busy) {
      dialog.close()
    }
  })
  // Asked twice in a row the browser closes it without a word to us.
  element.addEventListener('close', () => element.isConnected && (dialog.busy ? element.showModal() : dialog.close()))
  document.body.append(element)
  dialog.update()
  element.showModal()
  ;(element.querySelector('[autofocus]') ?? element.querySelector('h2')).focus()
  return dialog
}

/**
 * Asks, does it, and stays open with the refusal, beside what was typed, when it fails; `act` throws what is wrong. Resolves
 * with what it gave, or undefined. `action` is what the button says and does, and so does Enter in a field. `body` may be a
 * function of the dialog.
 */
export function ask({ title, body, action, danger = false, act, large }) {
  const id = `ask-${++last}`
  let busy = false
  let problem = null
  const run = async (dialog) => {
    busy = true
    problem = null
    dialog.update()
    try {
      dialog.close((await act()) ?? true)
    } catch (error) {
      problem = error
    }
    busy = false
    if (dialog.element.isConnected) {
      dialog.update()
      dialog.element.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' })
    }
  }
  const submit = (event, dialog) => {
    event.preventDefault()
    if (!busy) {
      run(dialog)
    }
  }
  return openDialog(
    (dialog) => ({
      title,
      busy,
      body: html`<form id=${id} novalidate @submit=${(event) => submit(event, dialog)}>${typeof body === 'function' ? body(dialog) : body}</form>
        ${problem ? problemNotice(problem) : nothing}`,
      actions: html`<button class="button" ?disabled=${busy} @click=${() => dialog.close()}>Cancel</button>
        <button class="button ${danger ? 'danger' : 'primary'}" type="submit" form=${id} ?disabled=${busy}>
          ${busy ? html`<span class="spinner"></span>` : nothing}${action}
        </button>`,
    }),
    { large },
  ).closed
}

/** What went wrong, in the server's words, with the request's ID small. */
export function problemNotice(problem) {
  return html`<div class="notice failed" role="alert">
    ${icon('failed')}
    <div class="grow">
      <p>${problem.message}</p>
      ${problem instanceof Problem && problem.requestId ? html`<p class="request">Request <span class="mono">${problem.requestId}</span></p>` : nothing}
    </div>
  </div>`
}
