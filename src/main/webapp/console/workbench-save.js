// Saving a session: an optional name, the phases as they come, and how long the session stood still.
import { html, nothing } from 'lit'
import { openDialog, problemNotice } from './dialog.js'
import { save } from './workbench-client.js'
import { took } from './workbench-output.js'
import { captureSteps, Steps } from './workbench-steps.js'
import { me } from './me.js'
import { bytes, icon, shortId } from './words.js'

export const WHAT_SAVE_DOES =
  'Save keeps everything in the session as a snapshot (variables, files, running programs) from which you or your programs go on later; the draft and the history stay in this browser.'

/** Asks for a name and saves; resolves with the snapshot, or undefined. */
export function saveDialog(id) {
  let dialog
  let name = ''
  let problem = null
  let saved = null
  let busy = false
  const steps = new Steps(() => dialog?.element.isConnected && dialog.update())
  const run = async () => {
    busy = true
    problem = null
    steps.clear()
    dialog.update()
    try {
      saved = await save(id, name.trim(), captureSteps(steps, bytes))
      steps.done()
    } catch (refused) {
      problem = refused
      steps.fail()
    }
    busy = false
    dialog.update()
    dialog.element.querySelector('.actions .primary')?.focus()
  }
  const submit = (event) => {
    event.preventDefault()
    if (!busy && !saved) {
      run()
    }
  }
  const body = () =>
    saved
      ? html`<p class="notice">${icon('done')}<span>Saved as <strong>${saved.names[0] ?? shortId(saved.id)}</strong>, ${bytes(saved.storedBytes)}.
          ${steps.frozen === undefined && saved.freezeMillis === undefined ? nothing : html`The session stood still for ${took(steps.frozen ?? saved.freezeMillis)} and goes on.`}</span></p>
          ${steps.view('Steps of saving')}`
      : html`<p>${WHAT_SAVE_DOES}</p>
          <form class="field" @submit=${submit}>
            <label for="save-name">Name <span class="soft">(optional)</span></label>
            <input class="input mono" id="save-name" maxlength="400" autocomplete="off" spellcheck="false" autofocus placeholder="deps-ready:v1"
              aria-describedby="save-hint" ?disabled=${busy || !me.project.slug} .value=${name} @input=${(event) => (name = event.target.value)}>
            <span class="hint" id="save-hint">${me.project.slug
              ? 'Small letters, digits, _ and -, with a tag after a colon if you like. Without a name it is found by its ID.'
              : 'Names need a project with a slug; this one has none. The snapshot is found by its ID.'}</span>
          </form>
          ${steps.view('Steps of saving')}${problem ? problemNotice(problem) : nothing}`
  dialog = openDialog(() => ({
    title: saved ? 'Session saved' : 'Save session',
    busy,
    body: body(),
    actions: saved
      ? html`<a class="button" href="/console/snapshots/${saved.id}" @click=${() => dialog.close(saved)}>Show in Snapshots</a>
          <button class="button primary" @click=${() => dialog.close(saved)}>Go on</button>`
      : html`<button class="button" ?disabled=${busy} @click=${() => dialog.close()}>Cancel</button>
          <button class="button primary" ?disabled=${busy} @click=${run}>${busy ? html`<span class="spinner"></span>Saving` : problem ? 'Try again' : 'Save session'}</button>`,
  }))
  return dialog.closed.then((value) => value ?? saved ?? undefined)
}
