// The session that this tab has: opened or taken over, held by the tab's name for as long as the tab is there, and how it is.
import { live } from './live.js'
import { me } from './me.js'
import { toast, toastProblem } from './toast.js'
import { continueSession, endSession, extendSession, holdSession, interpreter, interrupt, listContexts, openSession, releaseSession, started } from './workbench-client.js'
import { opened, tabName } from './workbench-local.js'
import { router } from './router.js'
import { shortId } from './words.js'

export const TEMPLATE = 'code-interpreter-v1'
/** What is opened when nobody chose anything. */
export const USUAL = { template: TEMPLATE }

const BEAT = 10_000

/**
 * Dispatches `change` when anything of it has, `settled` when code whose output nobody follows is over, and `note` with a
 * text for the output.
 */
export class HeldSession extends EventTarget {
  /** As the server tells it, or null. */
  open = null
  /** The ID of its interpreter, when that can be reached. */
  context = null
  /** What is said above the panes: { kind, ... }, or null. */
  banner = null
  /** Since when one is being opened: { since }, or null. */
  opening = null
  /** Whether code runs whose output this page does not follow. */
  stranger = false
  /** How many runs there were since it was saved or opened. */
  unsaved = 0

  #runs
  #beat
  #tab = null

  /** `runs` says whether code of this page runs. */
  constructor(runs) {
    super()
    this.#runs = runs
  }

  get isLive() {
    return ['running', 'snapshotting'].includes(this.open?.state)
  }

  get isOpen() {
    return Boolean(this.open) && this.open.state !== 'ended'
  }

  /** Whether the tab has a name yet. */
  get isReady() {
    return this.#tab !== null
  }

  set(values) {
    Object.assign(this, values)
    this.dispatchEvent(new Event('change'))
  }

  async begin() {
    this.#tab = await tabName()
  }

  connect() {
    live.addEventListener('event', this.#onEvent)
    addEventListener('pagehide', this.#onLeave)
    this.#beat = setInterval(() => this.hold(), BEAT)
  }

  disconnect() {
    live.removeEventListener('event', this.#onEvent)
    removeEventListener('pagehide', this.#onLeave)
    clearInterval(this.#beat)
    this.#onLeave()
  }

  #onEvent = ({ detail }) => {
    if (detail.subject.kind === 'sandbox' && detail.subject.id === this.open?.id) {
      this.hold()
    }
  }

  /** Whoever has signed out has no word in it any more. */
  #onLeave = () => {
    if (this.isOpen && this.isReady && me.project) {
      releaseSession(this.open.id, this.#tab)
    }
  }

  #note(text) {
    this.dispatchEvent(new CustomEvent('note', { detail: text }))
  }

  // ---- Having one

  /** Opens a session that is there already: this tab's after a reload, or one of a link. */
  async attach(id, { take = false, quiet = false, unsaved = this.unsaved } = {}) {
    try {
      this.become(await holdSession(id, this.#tab, take))
      this.set({ banner: null, unsaved })
      if (!this.isOpen) {
        this.#ended()
      } else if (this.isLive) {
        await this.reach()
      }
    } catch (problem) {
      this.become(null)
      if (problem.reason === 'session_elsewhere') {
        this.set({ banner: { kind: 'elsewhere', id } })
      } else if (!quiet || problem.status !== 404) {
        toastProblem(problem)
      }
    }
  }

  /** A fresh one; the one in whose place it comes ends when it runs. Gives whether there is one. */
  async openFrom(asked, replaced = null) {
    let found = null
    this.set({ banner: null, opening: { since: Date.now() } })
    try {
      const { id } = await openSession(asked)
      found = await started(id)
      this.become(found)
      const context = (await interpreter(found.id)).id
      this.set({ context, unsaved: 0 })
      this.#note(`Session ${shortId(found.id)} from ${asked.template}`)
      await this.hold()
      if (replaced) {
        await endSession(replaced).catch(toastProblem)
      }
      return true
    } catch (problem) {
      this.#refused(problem, () => (found ? this.reach() : this.openFrom(asked, replaced)))
      return false
    } finally {
      this.set({ opening: null })
    }
  }

  /** Finds its interpreter; without one nothing can be run in it. */
  async reach() {
    const { id } = this.open
    try {
      const context = (await interpreter(id)).id
      if (this.open?.id === id) {
        this.set({ context })
        await this.followStranger()
      }
    } catch (problem) {
      if (this.open?.id === id) {
        this.set({ context: null })
        this.#refused(problem, () => this.reach())
      }
    }
  }

  #refused(problem, again) {
    this.set({ banner: { kind: 'refused', problem, again: () => (this.set({ banner: null }), again()) } })
  }

  /** Code whose output nobody follows: a former visit of this page began it, or the connection broke off. */
  async followStranger() {
    if (!this.isLive || !this.context) {
      return
    }
    const busy = (await listContexts(this.open.id)).find((each) => each.id === this.context)?.busy
    this.set({ stranger: Boolean(busy) })
    if (busy && !this.#runs()) {
      this.set({ banner: { kind: 'stranger' } })
    } else if (this.banner?.kind === 'stranger') {
      this.set({ banner: null })
      this.dispatchEvent(new Event('settled'))
    }
  }

  become(found) {
    const other = found?.id !== this.open?.id
    this.set({ open: found, ...(other ? { context: null, stranger: false } : {}) })
    if (other) {
      opened.write(found?.id)
      router.change({ session: found?.id, sandbox: null }, { replace: true })
    }
  }

  /** Says that this tab has it, and hears how it is. */
  async hold() {
    if (!this.isOpen || this.banner?.kind === 'elsewhere') {
      return
    }
    const { id } = this.open
    try {
      const found = await holdSession(id, this.#tab)
      if (this.open?.id !== id) {
        return
      }
      this.set({ open: found })
      if (!this.isOpen) {
        this.#ended()
      } else if (this.stranger) {
        await this.followStranger()
      } else if (this.isLive && !this.context && !this.opening) {
        await this.reach()
      }
    } catch (problem) {
      if (this.open?.id !== id) {
        return
      }
      if (problem.reason === 'session_elsewhere') {
        this.become(null)
        this.set({ banner: { kind: 'elsewhere', id, taken: true } })
      } else if (problem.status === 404) {
        this.#ended()
      }
    }
  }

  #ended() {
    this.set({ banner: { kind: 'ended', reason: this.open?.endReason, detail: this.open?.endDetail, id: this.open?.id } })
    opened.write(null)
    router.change({ session: null }, { replace: true })
  }

  // ---- What can be done with it

  async interrupt() {
    await interrupt(this.open.id, this.context).catch(toastProblem)
  }

  async extend() {
    try {
      this.set({ open: await extendSession(this.open.id) })
      toast('The session lives longer.')
    } catch (problem) {
      toastProblem(problem)
    }
  }

  async goOn() {
    try {
      this.set({ open: await continueSession(this.open.id) })
      await this.reach()
    } catch (problem) {
      toastProblem(problem)
    }
  }

  async end() {
    await endSession(this.open.id)
    this.become(null)
    this.set({ banner: null })
    this.#note('Session ended')
  }
}
