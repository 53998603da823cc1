// What happens one after the other, with the time each step took.
import { html, nothing } from 'lit'
import { took } from './workbench-output.js'
import { icon } from './words.js'

/** The steps of one undertaking; `draw` is called when they change, and while one runs. */
export class Steps {
  all = []
  #timer = null

  constructor(draw) {
    this.draw = draw
  }

  clear() {
    this.all = []
    this.frozen = undefined
  }

  /** The one before is done, this one begins. */
  begin(label) {
    this.#over('done')
    this.all = [...this.all, { label, since: performance.now(), state: 'running' }]
    this.#timer ??= setInterval(() => this.draw(), 100)
    this.draw()
  }

  /** More about the one that runs. */
  say(detail) {
    const now = this.all.at(-1)
    if (now) {
      now.detail = detail
      this.draw()
    }
  }

  /** More about one that may be over. */
  amend(label, detail) {
    const meant = this.all.findLast((each) => each.label === label)
    if (meant) {
      meant.detail = detail
      this.draw()
    }
  }

  done() {
    this.#end('done')
  }

  fail() {
    this.#end('failed')
  }

  #end(state) {
    this.#over(state)
    clearInterval(this.#timer)
    this.#timer = null
    this.draw()
  }

  #over(state) {
    const now = this.all.at(-1)
    if (now?.state === 'running') {
      now.state = state
      now.took = performance.now() - now.since
    }
  }

  view(label) {
    return this.all.length
      ? html`<ol class="stages" aria-label=${label} aria-live="polite">${this.all.map(stepView)}</ol>`
      : nothing
  }
}

const WORDS = { running: 'under way', done: 'done', failed: 'failed' }

function stepView(step) {
  return html`<li class=${step.state}>
    ${step.state === 'running' ? html`<span class="spinner"></span>` : icon(step.state)}
    <span class="grow">${step.label}<span class="visually-hidden">, ${WORDS[step.state]}</span>${step.detail ? html` <span class="soft">${step.detail}</span>` : nothing}</span>
    <span class="mono small soft" aria-hidden=${step.state === 'running' ? 'true' : nothing}>${took(step.took ?? performance.now() - step.since)}</span>
  </li>`
}

const PHASES = {
  accepted: 'Taking the order',
  freezing: 'Freezing the session',
  sealing: 'Storing the state, while the session goes on',
}

/** Tells a capture as steps: call it with each state of its operation. A phase that was too short to be seen is told as well. */
export function captureSteps(steps, bytes) {
  const order = Object.keys(PHASES)
  let told = -1
  return (operation) => {
    const reached = operation.phase === 'done' ? order.length - 1 : order.indexOf(operation.phase)
    while (told < reached) {
      told++
      steps.begin(PHASES[order[told]])
    }
    if (operation.freezeMillis !== undefined && steps.frozen === undefined) {
      steps.frozen = operation.freezeMillis
      steps.amend(PHASES.freezing, `it stood still for ${took(operation.freezeMillis)}`)
    }
    if (operation.phase === 'sealing' && operation.bytesExpected) {
      steps.say(`${bytes(operation.bytesDone)} of ${bytes(operation.bytesExpected)}`)
    }
  }
}
