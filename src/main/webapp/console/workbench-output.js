// What code said, a block for each run. A run is { id, at, code, state, count, took, parts }.
import { html, LitElement, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { AnsiWriter } from './workbench-ansi.js'
import { firstLine, placeOf, plain } from './workbench-reading.js'
import { richView } from './workbench-rich.js'
import { exact, icon } from './words.js'

const MOST_RUNS = 100

/** A part is a view of its own, which is looked at whenever something comes. */
const MOST_PARTS = 1_000

let last = 0

/** A run that begins now; `over` is when it has come to its end, `ends` says that. */
export function begin(code) {
  let ends
  const over = new Promise((resolve) => (ends = resolve))
  return { id: ++last, at: Date.now(), code, state: 'waiting', parts: [], over, ends }
}

/** What the server said of a run. */
export function told(run, event) {
  switch (event.type) {
    case 'started':
      run.state = 'running'
      run.count = event.count
      run.since = Date.now()
      break
    case 'output': {
      const end = run.parts.at(-1)
      if (end?.kind === 'text' && end.channel === event.channel) {
        end.pieces.push(event.text)
      } else {
        show(run, { kind: 'text', channel: event.channel, pieces: [event.text] })
      }
      break
    }
    case 'result':
      show(run, { kind: 'result', formats: event.formats, omitted: event.omitted, main: event.main })
      break
    case 'error':
      run.failed = event.name
      show(run, { kind: 'error', name: event.name, value: event.value, traceback: event.traceback })
      break
    case 'cut':
      cut(run)
      break
    case 'lost':
      finish(run, 'lost')
      run.parts.push({ kind: 'note', failed: true, text: event.detail })
      break
    case 'end':
      finish(run, run.failed ? (run.failed === 'KeyboardInterrupt' ? 'interrupted' : 'failed') : 'done')
      break
  }
}

function show(run, part) {
  if (run.parts.length < MOST_PARTS) {
    run.parts.push(part)
  } else {
    cut(run)
  }
}

function cut(run) {
  if (!run.cut) {
    run.cut = true
    run.parts.push({ kind: 'note', text: 'There is more output than is shown. Write it to a file to keep all of it.' })
  }
}

export function finish(run, state) {
  run.state = state
  run.took = Date.now() - (run.since ?? run.at)
}

export const isUnderWay = (run) => run.state === 'waiting' || run.state === 'running'

/** `0.42 s`, `12.3 s`, `2 min 05 s`. */
export function took(millis) {
  const seconds = millis / 1000
  if (seconds < 60) {
    return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`
  }
  return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

const STATES = {
  waiting: ['progress', 'waiting', 'Waiting'],
  running: ['progress', 'progress', 'Running'],
  done: ['saved', 'done', 'Done'],
  failed: ['failed', 'failed', 'Failed'],
  interrupted: ['waiting', 'waiting', 'Interrupted'],
  lost: ['failed', 'failed', 'Lost'],
}

/** `<hf-output>`: `runs` and notes in between ({ id, note }); dispatches `interrupt`. */
class Output extends LitElement {
  static properties = { entries: { attribute: false }, hint: { attribute: false }, busy: { attribute: false } }

  #follows = true
  #timer = null

  createRenderRoot() {
    return this
  }

  connectedCallback() {
    super.connectedCallback()
    this.addEventListener('scroll', () => (this.#follows = this.scrollTop + this.clientHeight > this.scrollHeight - 40))
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  /** Shows the end from now on, as when somebody runs something. */
  follow() {
    this.#follows = true
  }

  updated() {
    if (this.#follows) {
      this.scrollTop = this.scrollHeight
    }
    clearTimeout(this.#timer)
    if (this.entries?.some((each) => each.parts && isUnderWay(each))) {
      this.#timer = setTimeout(() => this.requestUpdate(), 200)
    }
  }

  render() {
    const entries = this.entries ?? []
    if (!entries.length) {
      return html`<div class="intro">${this.hint ?? nothing}</div>`
    }
    return repeat(
      entries.slice(-MOST_RUNS),
      (each) => each.id,
      (each) => (each.parts ? this.#run(each) : html`<p class="between"><span>${each.note}</span></p>`),
    )
  }

  #run(run) {
    const [meaning, symbol, word] = STATES[run.state]
    const under = isUnderWay(run)
    const time = under ? (run.since ? took(Date.now() - run.since) : '') : took(run.took)
    const first = firstLine(run.code.trim())
    return html`<article class="run ${run.state}" aria-label="Run ${run.count ?? ''}: ${first.slice(0, 60)}" aria-busy=${under ? 'true' : 'false'}>
      <header>
        <span class="count mono soft">${run.count ? `[${run.count}]` : '[ ]'}</span>
        <code class="first cut grow" title=${run.code.length < 500 ? run.code : first}>${first}${run.code.trim().includes('\n') ? ' …' : ''}</code>
        ${under
          ? html`<button class="button quiet small" @click=${() => this.dispatchEvent(new CustomEvent('interrupt'))}>Interrupt</button>`
          : nothing}
        <time class="soft small mono" datetime=${new Date(run.at).toISOString()} title=${exact(run.at)}>${CLOCK.format(run.at)}</time>
        <span class="took small mono"><span class="visually-hidden">Took </span>${time}</span>
        <span class="badge ${meaning}">${icon(symbol)}${word}</span>
      </header>
      ${run.parts.length ? html`<div class="said">${run.parts.map((part) => this.#part(part))}</div>` : nothing}
    </article>`
  }

  #part(part) {
    switch (part.kind) {
      case 'text':
        return html`<hf-ansi class=${part.channel} .pieces=${part.pieces} .length=${part.pieces.length}></hf-ansi>`
      case 'result':
        return html`<div class="result">${richView(part.formats, part)}</div>`
      case 'error':
        return errorView(part)
      default:
        return html`<p class="notice ${part.failed ? 'failed' : 'waiting'}">${icon(part.failed ? 'failed' : 'info')}<span>${part.text}</span></p>`
    }
  }
}
customElements.define('hf-output', Output)

const errors = new WeakMap()

/** What is told of an error, read once. */
function errorOf(part) {
  if (!errors.has(part)) {
    errors.set(part, { said: firstLine(plain(part.value)), at: placeOf(plain(part.traceback)), pieces: [part.traceback] })
  }
  return errors.get(part)
}

/** The line that matters, where in the code it happened, and the rest folded away. */
function errorView(part) {
  const { said, at, pieces } = errorOf(part)
  return html`<div class="error">
    <p class="what"><strong>${part.name}</strong>${said ? `: ${said}` : ''}</p>
    ${at ? html`<p class="where small"><span class="soft">Line ${at.line}</span> <code>${at.text}</code></p>` : nothing}
    ${part.traceback
      ? html`<details>
          <summary class="small">Traceback</summary>
          <hf-ansi .pieces=${pieces} .length=${1}></hf-ansi>
        </details>`
      : nothing}
  </div>`
}

/** Text with colours, which grows: what is there is not written again. */
class Ansi extends HTMLElement {
  #pieces = null
  #written = 0
  #writer = null
  #pre = null

  set pieces(pieces) {
    if (pieces !== this.#pieces) {
      this.#pieces = pieces
      this.#written = 0
      this.#writer = null
    }
    this.#write()
  }

  set length(ignored) {
    this.#write()
  }

  connectedCallback() {
    this.#write()
  }

  #write() {
    if (!this.#pieces || !this.isConnected) {
      return
    }
    if (!this.#writer) {
      this.#pre = document.createElement('pre')
      this.#pre.className = 'ansi'
      this.replaceChildren(this.#pre)
      this.#writer = new AnsiWriter(this.#pre)
    }
    if (this.#written < this.#pieces.length) {
      this.#writer.write(this.#pieces.slice(this.#written).join(''))
      this.#written = this.#pieces.length
    }
  }
}
customElements.define('hf-ansi', Ansi)
