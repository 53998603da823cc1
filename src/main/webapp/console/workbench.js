// The Workbench: a draft, a session it runs in, and what came of it.
import { html, nothing } from 'lit'
import { ask } from './dialog.js'
import { live } from './live.js'
import { Page } from './page.js'
import { me } from './me.js'
import { router } from './router.js'
import { toast, toastProblem } from './toast.js'
import './workbench-bar.js'
import {
  complete,
  continueSession,
  endSession,
  execute,
  extendSession,
  holdSession,
  interpreter,
  interrupt,
  listContexts,
  openSession,
  releaseSession,
  started,
} from './workbench-client.js'
import './workbench-drawer.js'
import './workbench-editor.js'
import { loadDialog, nameOf } from './workbench-load.js'
import { draft, history, opened, tabName } from './workbench-local.js'
import { openDialogFor } from './workbench-new.js'
import { begin, finish, isUnderWay, told } from './workbench-output.js'
import './workbench-panes.js'
import { saveDialog, WHAT_SAVE_DOES } from './workbench-save.js'
import { icon, shortId } from './words.js'

const TEMPLATE = 'code-interpreter-v1'
const BEAT = 10_000
const GONE = ['ended']

/** Why a session has ended, and what to do next. */
const ENDS = {
  timeout: 'Its time was over.',
  idle: 'Nobody used it for as long as its profile allows.',
  'out of memory': 'It used up its memory.',
  'worker lost': 'The machine it ran on was lost.',
  'worker stopped': 'The machine it ran on was stopped.',
  killed: 'Somebody ended it.',
}

/** What is seen of a session stays while other pages are looked at: { project, id, entries, unsaved }. */
let kept = null

export default class Workbench extends Page {
  static properties = {
    open: { state: true },
    context: { state: true },
    entries: { state: true },
    banner: { state: true },
    opening: { state: true },
    stamp: { state: true },
    unsaved: { state: true },
  }

  constructor() {
    super()
    this.open = null
    this.entries = []
    this.stamp = 0
    this.unsaved = 0
    this.notes = 0
  }

  connectedCallback() {
    super.connectedCallback()
    live.addEventListener('event', this.#onEvent)
    addEventListener('pagehide', this.#onLeave)
    addEventListener('storage', this.#onStorage)
    this.beat = setInterval(() => this.#hold(), BEAT)
    this.#begin()
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    live.removeEventListener('event', this.#onEvent)
    removeEventListener('pagehide', this.#onLeave)
    removeEventListener('storage', this.#onStorage)
    clearInterval(this.beat)
    kept = { project: me.project?.id, id: this.open?.id, entries: this.entries, unsaved: this.unsaved, notes: this.notes }
    this.#onLeave()
  }

  willUpdate(changed) {
    if (changed.has('route') && this.tab) {
      this.#onRoute()
    }
  }

  /** What this tab had open, or what its address says; then what is to be loaded. */
  async #begin() {
    this.tab = await tabName()
    if (kept && kept.project === me.project.id) {
      this.entries = kept.entries
      this.notes = kept.notes
      // Begun by the page as it was before; its end is told there.
      this.running?.over.then(() => ((this.entries = [...this.entries]), this.stamp++))
    }
    const id = this.route.query.get('session') || opened.read()
    if (id) {
      await this.#attach(id, { quiet: !this.route.query.get('session') })
    }
    this.#onRoute()
  }

  #onRoute() {
    const reference = this.route.query.get('load')
    if (reference !== null && !this.loading) {
      this.#load(reference || undefined)
    }
  }

  get running() {
    return this.entries.find((each) => each.parts && isUnderWay(each))
  }

  get isLive() {
    return ['running', 'snapshotting'].includes(this.open?.state)
  }

  // The session

  /** Opens a session that is there already: this tab's after a reload, or one of a link. */
  async #attach(id, { take = false, quiet = false } = {}) {
    try {
      this.#become(await holdSession(id, this.tab, take))
      this.banner = null
      this.unsaved = kept?.id === id ? kept.unsaved : this.unsaved
      if (this.open.state === 'ended') {
        this.#ended()
      } else if (this.isLive) {
        await this.#reach()
      }
    } catch (problem) {
      if (problem.reason === 'session_elsewhere') {
        this.#become(null)
        this.banner = { kind: 'elsewhere', id }
      } else {
        this.#become(null)
        if (!quiet || problem.status !== 404) {
          toastProblem(problem)
        }
      }
    }
  }

  async #reach() {
    try {
      this.context = (await interpreter(this.open.id)).id
      await this.#followStranger()
    } catch (problem) {
      this.context = null
      this.banner = { kind: 'refused', problem }
    }
  }

  /** Code whose output nobody follows: a former visit of this page began it, or the connection broke off. */
  async #followStranger() {
    if (!this.isLive || !this.context) {
      return
    }
    const busy = (await listContexts(this.open.id)).find((each) => each.id === this.context)?.busy
    this.stranger = busy
    if (busy && !this.running) {
      this.banner = { kind: 'stranger' }
    } else if (this.banner?.kind === 'stranger') {
      this.banner = null
      this.stamp++
    }
  }

  #become(found) {
    const other = found?.id !== this.open?.id
    this.open = found
    if (other) {
      this.context = null
      this.stranger = false
      opened.write(found?.id)
      router.change({ session: found?.id }, { replace: true })
    }
  }

  async #openFrom(template, profile) {
    this.banner = null
    this.opening = { since: Date.now() }
    try {
      const asked = await openSession({ template, profile })
      const found = await started(asked.id)
      this.#become(found)
      this.unsaved = 0
      this.context = (await interpreter(found.id)).id
      this.#note(`Session ${shortId(found.id)} from ${template}`)
      await this.#hold()
      return true
    } catch (problem) {
      this.banner = { kind: 'refused', problem }
      return false
    } finally {
      this.opening = null
    }
  }

  /** Says that this tab has it, and hears how it is. */
  async #hold(take = false) {
    if (!this.open || GONE.includes(this.open.state) || this.banner?.kind === 'elsewhere') {
      return
    }
    const { id } = this.open
    try {
      const found = await holdSession(id, this.tab, take)
      if (this.open?.id !== id) {
        return
      }
      this.open = found
      if (found.state === 'ended') {
        this.#ended()
      } else if (this.stranger) {
        await this.#followStranger()
      } else if (this.isLive && !this.context && !this.opening) {
        await this.#reach()
      }
    } catch (problem) {
      if (problem.reason === 'session_elsewhere') {
        this.#become(null)
        this.banner = { kind: 'elsewhere', id, taken: true }
      } else if (problem.status === 404) {
        this.#ended()
      }
    }
  }

  #onEvent = ({ detail }) => {
    if (detail.subject.kind === 'sandbox' && detail.subject.id === this.open?.id) {
      this.#hold()
    }
  }

  #onLeave = () => {
    if (this.open && this.tab && !GONE.includes(this.open.state)) {
      releaseSession(this.open.id, this.tab)
    }
  }

  #onStorage = (event) => {
    if (event.key?.startsWith('holdfast.history.')) {
      this.stamp++
    }
  }

  #ended() {
    this.banner = { kind: 'ended', reason: this.open?.endReason, detail: this.open?.endDetail, id: this.open?.id }
    opened.write(null)
    router.change({ session: null }, { replace: true })
  }

  // Running

  async #run(code) {
    if (!code.trim() || this.running || this.opening) {
      return
    }
    if (!this.isLive) {
      if (this.open && !GONE.includes(this.open.state)) {
        return
      }
      if (!(await this.#openFrom(TEMPLATE))) {
        return
      }
    }
    if (!this.context) {
      await this.#reach()
      if (!this.context) {
        return
      }
    }
    const run = begin(code)
    this.entries = [...this.entries, run].slice(-100)
    this.querySelector('hf-output')?.follow()
    let drawn = false
    const take = (event) => {
      told(run, event)
      if (!drawn) {
        drawn = true
        requestAnimationFrame(() => {
          drawn = false
          this.querySelector('hf-output')?.requestUpdate()
        })
      }
    }
    try {
      await execute(this.open.id, this.context, code, take)
    } catch (problem) {
      finish(run, 'failed')
      run.parts.push({ kind: 'note', failed: true, text: problem.message })
      this.#hold()
    }
    this.unsaved++
    history.add({ at: run.at, code, state: run.state, took: run.took })
    this.entries = [...this.entries]
    this.stamp++
    run.ends()
    if (run.state === 'lost') {
      await this.#hold()
      await this.#followStranger().catch(() => {})
    }
  }

  #interrupt = async () => {
    try {
      await interrupt(this.open.id, this.context)
    } catch (problem) {
      toastProblem(problem)
    }
  }

  #note(text) {
    this.entries = [...this.entries, { id: `note-${++this.notes}`, note: text }]
  }

  // Saving, loading, ending

  #save = async () => {
    if (!this.isLive || this.running || this.stranger) {
      return
    }
    const saved = await saveDialog(this.open.id)
    if (saved) {
      this.unsaved = 0
      this.#note(`Saved as ${nameOf(saved)}`)
    }
  }

  async #load(reference) {
    this.loading = true
    const open = this.isLive
      ? {
          id: this.open.id,
          busy: Boolean(this.running || this.stranger),
          unsaved: this.unsaved ? `the state after ${this.unsaved === 1 ? 'one run' : `${this.unsaved} runs`}` : '',
          saved: () => (this.unsaved = 0),
        }
      : null
    const done = await loadDialog({ reference, open, chosen: (id) => router.change({ load: id }, { replace: true }) })
    this.loading = false
    router.change({ load: null }, { replace: true })
    if (!done) {
      return
    }
    this.banner = null
    this.#become(done.session)
    this.context = done.context?.id ?? null
    this.unsaved = 0
    this.#note(`Loaded ${nameOf(done.snapshot)}`)
    toast(`${nameOf(done.snapshot)} is loaded. The draft is as it was.`)
    this.stamp++
    await this.#hold()
    this.querySelector('hf-editor')?.focus()
  }

  #end = () => {
    const { id } = this.open
    ask({
      title: 'End session',
      body: html`<p>Session <span class="mono">${shortId(id)}</span> ends. ${this.unsaved ? 'What was not saved is gone.' : 'Nothing was run in it since it was last saved or opened.'}
        The draft, the history and the output stay here.</p>`,
      action: 'End session',
      danger: true,
      act: async () => {
        await endSession(id)
        this.#become(null)
        this.banner = null
        this.#note('Session ended')
      },
    })
  }

  #extend = async () => {
    try {
      this.open = await extendSession(this.open.id)
      toast('The session lives longer.')
    } catch (problem) {
      toastProblem(problem)
    }
  }

  #continue = async () => {
    try {
      this.open = await continueSession(this.open.id)
      await this.#reach()
    } catch (problem) {
      toastProblem(problem)
    }
  }

  #new = async () => {
    const chosen = await openDialogFor(this.isLive ? { id: this.open.id, unsaved: this.unsaved } : null)
    if (!chosen) {
      return
    }
    const before = this.isLive ? this.open.id : null
    if (await this.#openFrom(chosen.template, chosen.profile)) {
      if (before) {
        await endSession(before).catch(toastProblem)
      }
    }
  }

  // What is seen

  render() {
    const busy = Boolean(this.running || this.stranger)
    return html`<h1 class="visually-hidden">Workbench</h1>
      <hf-session-bar .open=${this.open} .opening=${this.opening} .busy=${busy}
        @save=${this.#save} @load=${() => this.#load()} @end=${this.#end} @extend=${this.#extend} @new=${this.#new}></hf-session-bar>
      ${this.#bannerView()}
      <div class="workbench">
        <div class="upper">
          <section class="pane" id="pane-editor" aria-label="Editor">
            <div class="tools row">
              <button class="button primary small" ?disabled=${busy || Boolean(this.opening)} title="Ctrl+Enter" @click=${() => this.#editor.run(false)}>${icon('play')}Run all</button>
              <button class="button small" ?disabled=${busy || Boolean(this.opening)} @click=${this.#runSelected}>Run selection</button>
              ${busy ? html`<button class="button small" @click=${this.#interrupt}>Interrupt</button>` : nothing}
              <span class="grow"></span>
              <span class="soft small cut">Draft, kept in this browser</span>
            </div>
            <hf-editor .text=${this.#draft} .completer=${this.#completer} @draft=${(e) => draft.write(e.detail)} @run=${(e) => this.#run(e.detail.code)}></hf-editor>
          </section>
          <hf-border name="editor" vertical aria-label="Between editor and output" aria-controls="pane-editor"></hf-border>
          <section class="pane" aria-label="Output">
            <div class="tools row">
              <h2>Output</h2>
              <span class="grow"></span>
              <button class="button quiet small" ?disabled=${!this.entries.length || busy} @click=${() => (this.entries = [])}>Clear output</button>
            </div>
            <hf-output tabindex="0" role="log" aria-label="Output" .entries=${this.entries} .busy=${busy} .hint=${this.#hint()} @interrupt=${this.#interrupt}></hf-output>
          </section>
        </div>
        <hf-border name="drawer" aria-label="Between editor and drawer" aria-controls="drawer"></hf-border>
        <hf-drawer id="drawer" .sandbox=${this.isLive ? this.open.id : null} .context=${this.context} .live=${this.isLive} .busy=${busy} .stamp=${this.stamp}
          @insert=${(e) => this.#editor.insert(e.detail)} @rerun=${(e) => this.#run(e.detail)}></hf-drawer>
      </div>`
  }

  get #editor() {
    return this.querySelector('hf-editor')
  }

  /** Read once: from then on the editor has it. */
  get #draft() {
    return (this.drafted ??= draft.read())
  }

  #runSelected = () => {
    if (this.#editor.selected.trim()) {
      this.#editor.run(true)
    } else {
      toast('Select some code first.')
      this.#editor.focus()
    }
  }

  #completer = async (code, cursor, signal) => {
    if (!this.isLive || !this.context || this.running) {
      return { matches: [] }
    }
    return complete(this.open.id, this.context, code, cursor, signal)
  }

  #hint() {
    return html`<p><strong>Run the draft</strong> with <kbd>Ctrl</kbd>+<kbd>Enter</kbd>${this.open ? nothing : html`: a session is opened for it, from the template <span class="mono">${TEMPLATE}</span>`}.</p>
      <p>${WHAT_SAVE_DOES}</p>
      <p><a href="/console/help/load-a-saved-session" target="_blank" rel="noopener">Load a saved session</a> tells how to come back to one.</p>`
  }

  #bannerView() {
    const { kind, problem, reason, detail, id, taken } = this.banner ?? {}
    switch (kind) {
      case 'ended':
        return this.#notice('failed', html`<strong>The session has ended.</strong> ${ENDS[reason] ?? (reason ? `Reason: ${reason}.` : 'It is not there any more.')} ${detail ? `(${detail})` : ''}
          The draft, the history and the output are still here. Start a new session, or load the last one you saved.`,
          html`<button class="button small primary" @click=${() => this.#openFrom(TEMPLATE)}>Start a new session</button><button class="button small" @click=${() => this.#load()}>Load a snapshot</button>`)
      case 'elsewhere':
        return this.#notice('waiting', html`<strong>Another tab has session <span class="mono">${shortId(id)}</span> open.</strong> ${taken ? 'It was taken over there; nothing runs from here any more.' : 'One tab has it at a time.'}`,
          html`<button class="button small" @click=${() => this.#attach(id, { take: true })}>Take over here</button><button class="button small quiet" @click=${() => (this.banner = null)}>Leave it there</button>`)
      case 'stranger':
        return this.#notice('progress', html`<strong>Code runs in the session</strong> whose output this page does not follow: it was begun by a former visit, or the connection broke off.`,
          html`<button class="button small" @click=${this.#interrupt}>Interrupt</button>`)
      case 'refused':
        return this.#notice('failed', html`${problem.message}${problem.requestId ? html` <span class="request">Request <span class="mono">${problem.requestId}</span></span>` : nothing}`,
          html`<button class="button small" @click=${() => (this.open && !GONE.includes(this.open.state) ? ((this.banner = null), this.#reach()) : this.#openFrom(TEMPLATE))}>Try again</button>
            <button class="button small quiet" @click=${() => (this.banner = null)}>Dismiss</button>`)
      default:
        return this.open?.state === 'paused'
          ? this.#notice('waiting', html`<strong>The session is paused.</strong> Its state is kept as it was; its time does not run.`,
              html`<button class="button small primary" @click=${this.#continue}>Continue session</button>`)
          : nothing
    }
  }

  #notice(meaning, text, actions) {
    return html`<div class="notice ${meaning} banner" role=${meaning === 'failed' ? 'alert' : 'status'}>
      ${icon(meaning === 'failed' ? 'failed' : meaning)}<p class="grow">${text}</p><div class="row wrap">${actions}</div>
    </div>`
  }
}
customElements.define('hf-workbench', Workbench)
