// A fresh session: from which template, with which profile.
import { html, nothing } from 'lit'
import { openDialog, problemNotice } from './dialog.js'
import { listProfiles, listTemplates } from './workbench-client.js'
import { sets } from './workbench-load.js'
import { icon, shortId } from './words.js'

const USUAL = 'code-interpreter-v1'

/** Resolves with { template, profile }, or undefined. `open`: the session that ends when the new one runs. */
export function openDialogFor(open) {
  const state = { templates: null, profiles: null, template: USUAL, profile: null, problem: null }
  let dialog
  async function read() {
    try {
      const [templates, profiles] = await Promise.all([listTemplates(), listProfiles()])
      const ready = templates.filter((each) => each.generation !== 1)
      const found = ready.find((each) => each.name === USUAL) ?? ready[0]
      Object.assign(state, { templates: ready, profiles, profile: profiles[0].name, template: found?.name })
    } catch (problem) {
      state.problem = problem
    }
    dialog.element.isConnected && dialog.update()
  }
  const body = () => {
    if (state.problem) {
      return problemNotice(state.problem)
    }
    if (!state.templates) {
      return html`<p class="row soft"><span class="spinner"></span>Reading templates and profiles</p>`
    }
    return html`<div class="field">
        <label for="new-template">Template</label>
        <select class="select mono" id="new-template" @change=${(event) => (state.template = event.target.value)}>
          ${state.templates.map((each) => html`<option value=${each.name} ?selected=${each.name === state.template}>${each.name}</option>`)}
        </select>
        <span class="hint">The Workbench runs Python in what ${USUAL} brings.</span>
      </div>
      <fieldset class="profiles">
        <legend>Profile <span class="soft">– what the session will run with</span></legend>
        ${state.profiles.map(
          (each) => html`<label class=${each.name === state.profile ? 'chosen' : ''}>
            <input type="radio" name="new-profile" value=${each.name} .checked=${each.name === state.profile} @change=${() => ((state.profile = each.name), dialog.update())}>
            <span><strong class="mono">${each.name}</strong> <span class="soft">${sets(each)}</span></span>
          </label>`,
        )}
      </fieldset>
      ${open
        ? html`<p class="notice waiting">${icon('waiting')}<span>The open session <span class="mono">${shortId(open.id)}</span> ends when the new one runs.
            ${open.unsaved ? 'What was not saved in it is lost; save it first.' : ''}</span></p>`
        : nothing}`
  }
  dialog = openDialog(() => ({
    title: 'New session',
    body: body(),
    actions: html`<button class="button" @click=${() => dialog.close()}>Cancel</button>
      <button class="button primary" ?disabled=${!state.templates || !state.template} @click=${() => dialog.close({ template: state.template, profile: state.profile })}>Start session</button>`,
  }))
  read()
  return dialog.closed
}
