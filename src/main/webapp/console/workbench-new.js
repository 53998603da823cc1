// A fresh session: from which template, with which profile, and with which volumes.
import { html, nothing } from 'lit'
import { openDialog, problemNotice } from './dialog.js'
import { listVolumes } from './volumes-list.js'
import { mountRows, mountsOf } from './workbench-mounts.js'
import { listProfiles, listTemplates } from './workbench-client.js'
import { sets } from './workbench-load.js'
import { icon, shortId } from './words.js'

const USUAL = 'code-interpreter-v1'

/**
 * Resolves with { template, profile, volumeMounts }, or undefined. `open`: the session that ends when the new one runs, whose
 * volumes are proposed.
 */
export function openDialogFor(open) {
  const state = { templates: null, profiles: null, volumes: [], template: USUAL, profile: null, mounts: open?.mounts ?? [], problem: null, wrong: null }
  let dialog
  const draw = () => dialog.element.isConnected && dialog.update()
  async function read() {
    try {
      const [templates, profiles, { volumes }] = await Promise.all([listTemplates(), listProfiles(), listVolumes()])
      const ready = templates.filter((each) => each.generation !== 1)
      const found = ready.find((each) => each.name === USUAL) ?? ready[0]
      const mounts = state.mounts.filter((each) => volumes.some((one) => one.id === each.volumeId)).map((each) => ({ name: each.name, path: each.path }))
      Object.assign(state, { templates: ready, profiles, volumes, mounts, profile: profiles[0].name, template: found?.name })
    } catch (problem) {
      state.problem = problem
    }
    draw()
  }
  const start = (event) => {
    event.preventDefault()
    try {
      dialog.close({ template: state.template, profile: state.profile, volumeMounts: mountsOf(state.mounts) })
    } catch (wrong) {
      state.wrong = wrong
      draw()
    }
  }
  const body = () => {
    if (state.problem) {
      return problemNotice(state.problem)
    }
    if (!state.templates) {
      return html`<p class="row soft"><span class="spinner"></span>Reading templates, profiles and volumes</p>`
    }
    return html`<form id="new-session" novalidate @submit=${start}>
      <div class="field">
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
      ${mountRows(state, dialog)}
      ${state.wrong ? problemNotice(state.wrong) : nothing}
      ${open
        ? html`<p class="notice waiting">${icon('waiting')}<span>The open session <span class="mono">${shortId(open.id)}</span> ends when the new one runs.
            ${open.unsaved ? 'What was not saved in it is lost; save it first.' : ''}</span></p>`
        : nothing}
    </form>`
  }
  dialog = openDialog(() => ({
    title: 'New session',
    body: body(),
    actions: html`<button class="button" @click=${() => dialog.close()}>Cancel</button>
      <button class="button primary" type="submit" form="new-session" ?disabled=${!state.templates || !state.template}>Start session</button>`,
  }))
  read()
  return dialog.closed
}
