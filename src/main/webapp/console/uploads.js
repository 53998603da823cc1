// Files on their way to the server, one after the other; they go on while another page of the console is looked at, and are
// of the one who chose them: whoever signs in next neither sees nor sends them.
import { html, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { me } from './me.js'
import { below } from './places.js'
import { bytes, count, icon } from './words.js'

const MOST_SHOWN = 20

/** Dispatches `change` when anything is to be drawn anew, and `arrived` with the folder as detail when a file is there. */
class Uploads extends EventTarget {
  /** { id, name, directory, file, state, sent, problem }, in the order in which they were chosen. */
  all = []
  #last = 0
  #runs = false

  constructor(place) {
    super()
    this.place = place
    this.principal = me.who?.principal
    addEventListener('beforeunload', (event) => this.under.length && event.preventDefault())
  }

  get under() {
    return this.all.filter((each) => ['waiting', 'sending'].includes(each.state))
  }

  add(directory, files, refused = []) {
    const fresh = files.map((file) => ({ id: ++this.#last, name: file.name, directory, file, state: 'waiting', sent: 0 }))
    const failed = refused.map(([name, problem]) => ({ id: ++this.#last, name, directory, state: 'failed', sent: 0, problem }))
    this.all = [...this.all.filter((each) => each.state !== 'done'), ...fresh, ...failed]
    this.#run()
  }

  again(upload, replace = false) {
    Object.assign(upload, { state: 'waiting', sent: 0, problem: null, replace })
    this.#run()
  }

  cancel(upload) {
    if (upload.state === 'sending') {
      upload.control.abort()
    } else {
      upload.state = 'cancelled'
      this.#changed()
    }
  }

  cancelAll() {
    this.under.reverse().forEach((each) => this.cancel(each))
  }

  /** Forgets one, or all that is over. */
  forget(upload) {
    const under = this.under
    this.all = this.all.filter((each) => (upload ? each !== upload : under.includes(each)))
    this.#changed()
  }

  async #run() {
    this.#changed()
    if (this.#runs) {
      return
    }
    this.#runs = true
    for (let next; (next = this.all.find((each) => each.state === 'waiting')); ) {
      await this.#send(next)
    }
    this.#runs = false
  }

  async #send(upload) {
    upload.state = 'sending'
    upload.control = new AbortController()
    this.#changed()
    try {
      if (me.who?.principal !== this.principal) {
        throw new Error('You had signed out when its turn came. Sign in again and send it once more.')
      }
      await this.place.write(below(upload.directory, upload.name), upload.file, {
        replace: upload.replace,
        signal: upload.control.signal,
        progress: (sent) => {
          upload.sent = sent
          this.#changed()
        },
      })
      upload.state = 'done'
      this.dispatchEvent(new CustomEvent('arrived', { detail: upload.directory }))
    } catch (problem) {
      upload.state = problem.name === 'AbortError' ? 'cancelled' : 'failed'
      upload.problem = problem
    }
    this.#changed()
  }

  #changed() {
    this.dispatchEvent(new Event('change'))
  }
}

const known = new Map()

/** Of a place, for all of the console that whoever is signed in looks at. */
export function uploadsOf(place) {
  const key = `${me.who?.principal} ${place.key}`
  if (!known.has(key)) {
    known.set(key, new Uploads(place))
  }
  return known.get(key)
}

// ---- How they look

const STATES = {
  waiting: ['waiting', 'Waiting'],
  sending: ['progress', 'Uploading'],
  done: ['done', 'Uploaded'],
  failed: ['failed', 'Not uploaded'],
  cancelled: ['close', 'Cancelled'],
}

export function uploadsView(uploads) {
  const { all, under } = uploads
  if (!all.length) {
    return nothing
  }
  const of = (state) => all.filter((each) => each.state === state)
  const [done, failed] = [of('done').length, of('failed').length]
  const shown = [...of('sending'), ...of('failed'), ...of('waiting'), ...of('cancelled'), ...of('done')].slice(0, MOST_SHOWN)
  return html`<section class="uploads" aria-label="Uploads">
    <div class="row wrap">
      <p class="grow" role="status">${done} of ${count(all.length, 'file')} uploaded${failed ? html`, <strong class="problem">${failed} not</strong>` : nothing}</p>
      ${under.length
        ? html`<button class="button small" @click=${() => uploads.cancelAll()}>Cancel ${under.length > 1 ? 'all' : ''}</button>`
        : html`<button class="button quiet small" @click=${() => uploads.forget()}>Clear</button>`}
    </div>
    <ul>${repeat(shown, (each) => each.id, (each) => line(uploads, each))}</ul>
    ${all.length > shown.length ? html`<p class="soft small">and ${count(all.length - shown.length, 'more', 'more')}</p>` : nothing}
  </section>`
}

function line(uploads, upload) {
  const { name, directory, file, state, sent, problem } = upload
  const [symbol, words] = STATES[state]
  return html`<li class=${state}>
    <span class="mark">${icon(symbol)}</span>
    <span class="grow"><span class="mono">${name}</span> <span class="soft small">${words} to ${directory}${file ? `, ${state === 'sending' ? `${bytes(sent)} of ` : ''}${bytes(file.size)}` : ''}</span>
      ${state === 'sending' ? html`<progress class="meter" max=${file.size || 1} .value=${sent} aria-label="Upload of ${name}"></progress>` : nothing}
      ${state === 'failed' ? html`<span class="problem small">${problem.message}</span>` : nothing}</span>
    ${controls(uploads, upload)}
  </li>`
}

function controls(uploads, upload) {
  const { name, state, problem, file } = upload
  if (['waiting', 'sending'].includes(state)) {
    return html`<button class="button quiet small" aria-label="Cancel the upload of ${name}" @click=${() => uploads.cancel(upload)}>Cancel</button>`
  }
  if (state === 'done') {
    return nothing
  }
  return html`${problem?.reason === 'file_exists'
      ? html`<button class="button small" aria-label="Replace ${name}" @click=${() => uploads.again(upload, true)}>Replace</button>`
      : file
        ? html`<button class="button small" aria-label="Try again: upload ${name}" @click=${() => uploads.again(upload)}>Try again</button>`
        : nothing}
    <button class="button quiet small square" aria-label="Dismiss ${name}" title="Dismiss" @click=${() => uploads.forget(upload)}>${icon('close')}</button>`
}
