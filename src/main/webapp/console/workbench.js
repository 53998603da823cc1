// The Workbench: a draft, a session it runs in, and what came of it.
import { html, nothing } from 'lit'
import { ask } from './dialog.js'
import { Page } from './page.js'
import { me } from './me.js'
import { router } from './router.js'
import { toast } from './toast.js'
import { bannerView } from './workbench-banner.js'
import './workbench-bar.js'
import { complete, execute } from './workbench-client.js'
import './workbench-drawer.js'
import './workbench-editor.js'
import { loadDialog, nameOf } from './workbench-load.js'
import { draft, history, opened } from './workbench-local.js'
import { openDialogFor } from './workbench-new.js'
import { begin, finish, isUnderWay, told } from './workbench-output.js'
import './workbench-panes.js'
import { saveDialog, WHAT_SAVE_DOES } from './workbench-save.js'
import { HeldSession, TEMPLATE, USUAL } from './workbench-session.js'
import { icon, shortId } from './words.js'

const MOST_ENTRIES = 100

/** What is seen of a session stays while other pages are looked at: { project, id, entries, unsaved, notes }. */
let kept = null

export default class Workbench extends Page {
  static properties = { entries: { state: true }, stamp: { state: true } }

  #session = new HeldSession(() => Boolean(this.running))
  #project = me.project?.id

  constructor() {
    super()
    this.entries = []
    this.stamp = 0
    this.notes = 0
    this.#session.addEventListener('change', () => this.requestUpdate())
    this.#session.addEventListener('settled', () => this.stamp++)
    this.#session.addEventListener('note', ({ detail }) => this.#note(detail))
  }

  connectedCallback() {
    super.connectedCallback()
    this.#session.connect()
    addEventListener('storage', this.#onStorage)
    this.#begin()
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    removeEventListener('storage', this.#onStorage)
    if (me.project?.id !== this.#project) {
      kept = null
    } else if (this.#session.isReady) {
      kept = { project: this.#project, id: this.#session.open?.id, entries: this.entries, unsaved: this.#session.unsaved, notes: this.notes }
    }
    this.#session.disconnect()
  }

  willUpdate(changed) {
    if (changed.has('route') && this.#session.isReady) {
      this.#onRoute()
    }
  }

  /** What this tab had open, or what its address says; then what is to be loaded. */
  async #begin() {
    await this.#session.begin()
    if (!this.isConnected) {
      return
    }
    if (kept && kept.project === me.project.id) {
      this.entries = kept.entries
      this.notes = kept.notes
      // Begun by the page as it was before; its end is told there.
      this.running?.over.then(() => ((this.entries = [...this.entries]), this.stamp++))
    }
    const asked = this.route.query.get('session') || this.route.query.get('sandbox')
    const id = asked || opened.read()
    if (id) {
      await this.#session.attach(id, { quiet: !asked, ...(kept?.id === id ? { unsaved: kept.unsaved } : {}) })
    }
    if (this.isConnected) {
      this.#onRoute()
    }
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

  #onStorage = (event) => {
    if (event.key?.startsWith('holdfast.history.')) {
      this.stamp++
    }
  }

  // Running

  /** Whether there is a session with an interpreter; one is opened if there is none. */
  async #ready() {
    const session = this.#session
    if (!session.isLive && (session.isOpen || !(await session.openFrom(USUAL)))) {
      return false
    }
    if (!session.context) {
      await session.reach()
    }
    return Boolean(session.context)
  }

  async #run(code) {
    const session = this.#session
    if (!code.trim() || this.running || session.opening || !(await this.#ready())) {
      return
    }
    const run = begin(code)
    this.entries = [...this.entries, run].slice(-MOST_ENTRIES)
    this.querySelector('hf-output')?.follow()
    try {
      await execute(session.open.id, session.context, code, this.#taker(run))
    } catch (problem) {
      finish(run, 'failed')
      run.parts.push({ kind: 'note', failed: true, text: problem.message })
      session.hold()
    }
    session.set({ unsaved: session.unsaved + 1 })
    history.add({ at: run.at, code, state: run.state, took: run.took })
    this.entries = [...this.entries]
    this.stamp++
    run.ends()
    if (run.state === 'lost') {
      await session.hold()
      await session.followStranger().catch(() => {})
    }
  }

  /** However much a run says, it is drawn once a frame. */
  #taker(run) {
    let drawn = false
    return (event) => {
      told(run, event)
      if (!drawn) {
        drawn = true
        requestAnimationFrame(() => {
          drawn = false
          this.querySelector('hf-output')?.requestUpdate()
        })
      }
    }
  }

  #interrupt = () => this.#session.interrupt()

  #note(text) {
    this.entries = [...this.entries, { id: `note-${++this.notes}`, note: text }]
  }

  // Saving, loading, ending

  #save = async () => {
    const session = this.#session
    if (!session.isLive || this.running || session.stranger) {
      return
    }
    const saved = await saveDialog(session.open.id)
    if (saved) {
      session.set({ unsaved: 0 })
      this.#note(`Saved as ${nameOf(saved)}`)
    }
  }

  async #load(reference) {
    const session = this.#session
    const { unsaved } = session
    this.loading = true
    const open = session.isLive
      ? {
          id: session.open.id,
          busy: Boolean(this.running || session.stranger),
          unsaved: unsaved ? `the state after ${unsaved === 1 ? 'one run' : `${unsaved} runs`}` : '',
          saved: () => session.set({ unsaved: 0 }),
        }
      : null
    const done = await loadDialog({ reference, open, chosen: (id) => router.change({ load: id }, { replace: true }) })
    this.loading = false
    router.change({ load: null }, { replace: true })
    if (!done) {
      return
    }
    session.become(done.session)
    session.set({ banner: null, context: done.context?.id ?? null, unsaved: 0 })
    this.#note(`Loaded ${nameOf(done.snapshot)}`)
    toast(`${nameOf(done.snapshot)} is loaded. The draft is as it was.`)
    this.stamp++
    await session.hold()
    this.querySelector('hf-editor')?.focus()
  }

  #end = () => {
    const { open, unsaved } = this.#session
    ask({
      title: 'End session',
      body: html`<p>Session <span class="mono">${shortId(open.id)}</span> ends. ${unsaved ? 'What was not saved is gone.' : 'Nothing was run in it since it was last saved or opened.'}
        The draft, the history and the output stay here.</p>`,
      action: 'End session',
      danger: true,
      act: () => this.#session.end(),
    })
  }

  #new = async () => {
    const { isLive, open, unsaved } = this.#session
    const chosen = await openDialogFor(isLive ? { id: open.id, mounts: open.mounts, unsaved } : null)
    if (chosen) {
      await this.#session.openFrom(chosen, isLive ? open.id : null)
    }
  }

  // What is seen

  render() {
    const session = this.#session
    const { open, opening } = session
    const busy = Boolean(this.running || session.stranger)
    return html`<h1 class="visually-hidden">Workbench</h1>
      <hf-session-bar .open=${open} .opening=${opening} .busy=${busy}
        @save=${this.#save} @load=${() => this.#load()} @end=${this.#end} @extend=${() => session.extend()} @new=${this.#new}></hf-session-bar>
      ${bannerView(session, () => this.#load())}
      <div class="workbench">
        <div class="upper">
          <section class="pane" id="pane-editor" aria-label="Editor">
            <div class="tools row">
              <button class="button primary small" ?disabled=${busy || Boolean(opening)} title="Ctrl+Enter" @click=${() => this.#editor.run(false)}>${icon('play')}Run all</button>
              <button class="button small" ?disabled=${busy || Boolean(opening)} @click=${this.#runSelected}>Run selection</button>
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
        <hf-drawer id="drawer" .sandbox=${session.isLive ? open.id : null} .context=${session.context} .mounts=${open?.mounts} .live=${session.isLive} .busy=${busy} .stamp=${this.stamp}
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
    const { isLive, open, context } = this.#session
    if (!isLive || !context || this.running) {
      return { matches: [] }
    }
    return complete(open.id, context, code, cursor, signal)
  }

  #hint() {
    return html`<p><strong>Run the draft</strong> with <kbd>Ctrl</kbd>+<kbd>Enter</kbd>${this.#session.open ? nothing : html`: a session is opened for it, from the template <span class="mono">${TEMPLATE}</span>`}.</p>
      <p>${WHAT_SAVE_DOES}</p>
      <p><a href="/console/help/load-a-saved-session" target="_blank" rel="noopener">Load a saved session</a> tells how to come back to one.</p>`
  }
}
customElements.define('hf-workbench', Workbench)
