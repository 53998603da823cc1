// What happens in the project, as it happens: one stream for the whole tab, resumed by the browser where it broke off.
const QUIET_TAB = 60_000
// The server gives a sign of life more often than this.
const STALE = 45_000
// Too many streams, or the server is not itself: it is asked again.
const REFUSED = 10_000

/**
 * Dispatches `change` when `state` changes (connecting, connected, reconnecting, stale), `event` with the event as `detail`,
 * and `gap` when something may have been missed, so that lists are to be read again.
 */
class Live extends EventTarget {
  state = 'connecting'
  since = Date.now()
  #source = null
  #project = null
  #last = null
  #timer = null
  #hidden = null

  constructor() {
    super()
    document.addEventListener('visibilitychange', () => this.#onVisibility())
    addEventListener('pagehide', () => this.#close())
    addEventListener('pageshow', (event) => event.persisted && this.#again())
  }

  /** From now on of this project; the same again changes nothing. */
  watch(project) {
    if (project === this.#project) {
      return
    }
    this.#project = project
    this.#last = null
    this.#open()
  }

  #open() {
    this.#close()
    if (!this.#project) {
      return
    }
    const after = this.#last ? `?after=${this.#last}` : ''
    this.#source = new EventSource(`/api/v1/projects/${encodeURIComponent(this.#project)}/events${after}`)
    this.#source.onopen = () => this.#become('connected')
    this.#source.onerror = () => this.#failed()
    this.#source.addEventListener('gap', () => this.dispatchEvent(new Event('gap')))
    for (const type of TYPES) {
      this.#source.addEventListener(type, (message) => this.#take(message))
    }
  }

  #close() {
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = null
  }

  #take(message) {
    this.#last = message.lastEventId || this.#last
    this.dispatchEvent(new CustomEvent('event', { detail: JSON.parse(message.data) }))
  }

  /** The browser comes again by itself unless it was refused. */
  #failed() {
    const refused = this.#source?.readyState === EventSource.CLOSED
    this.#become('reconnecting')
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (refused ? this.#again() : this.#become('stale')), refused ? REFUSED : STALE)
    if (refused && Date.now() - this.since > STALE) {
      this.#become('stale')
    }
  }

  /** For as long as there is no stream, lists are read again at every try. */
  #again() {
    this.#open()
    this.dispatchEvent(new Event('gap'))
  }

  #become(state) {
    const again = state === 'connected' && this.state !== 'connected' && this.state !== 'connecting'
    if (state === 'connected') {
      clearTimeout(this.#timer)
    }
    if (state !== this.state && !(state === 'reconnecting' && this.state === 'stale')) {
      this.state = state
      this.since = state === 'stale' ? this.since : Date.now()
      this.dispatchEvent(new Event('change'))
    }
    if (again && !this.#last) {
      this.dispatchEvent(new Event('gap'))
    }
  }

  /** A tab that nobody looks at holds no stream for long. */
  #onVisibility() {
    clearTimeout(this.#hidden)
    if (document.hidden) {
      this.#hidden = setTimeout(() => this.#close(), QUIET_TAB)
    } else if (!this.#source && this.#project) {
      this.#again()
    }
  }
}

/** What an EventSource is to be told of one by one. */
const TYPES = Object.entries({
  sandbox: 'created started capture_started capture_ended capture_skipped pausing paused pause_failed resuming resumed resume_failed restoring restored restore_failed ended',
  capture: 'accepted completed failed cancelled',
  snapshot: 'saved imported expiring expired deleted recovered purged pinned unpinned held removed parts_changed restore_failed restorable',
  volume: 'created deleted',
  quota: 'warning repaired',
  worker: 'registered unreachable reachable lost draining drained drain_ended',
  webhook: 'disabled',
  audit: 'verified broken',
  job: 'started completed stopped failed',
}).flatMap(([kind, what]) => what.split(' ').map((each) => `${kind}.${each}`))

export const live = new Live()
