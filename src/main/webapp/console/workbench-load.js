// Loading a saved session: everything about it first, nothing restored before it is confirmed, each step with its time.
import { html, nothing } from 'lit'
import { openDialog, problemNotice } from './dialog.js'
import { me } from './me.js'
import { endSession, interpreter, listProfiles, listSnapshots, openSession, readSnapshot, save, started } from './workbench-client.js'
import { mounted } from './volume-words.js'
import { captureSteps, Steps } from './workbench-steps.js'
import { bytes, count, duration, icon, shortId, when } from './words.js'

const OTHERS = 20
const UNLIMITED = 'as long as it lives'

/** A snapshot as one calls it. */
export const nameOf = (snapshot) => snapshot.names?.[0] ?? snapshot.formerName ?? shortId(snapshot.id)

/**
 * `reference`: which snapshot; without one, one is chosen first. `open`: the tab's session ({ id, busy, unsaved, startedAt })
 * or null. Resolves with { session, snapshot } of a load, or undefined.
 */
export function loadDialog({ reference, open, chosen = () => {} }) {
  const state = { reference, snapshot: null, newer: [], profiles: null, profile: null, others: null, problem: null, failed: null, busy: false }
  let dialog
  const draw = () => dialog?.element.isConnected && dialog.update()
  const steps = new Steps(draw)

  async function look(id) {
    Object.assign(state, { reference: id, snapshot: null, newer: [], problem: null, failed: null, others: null })
    steps.clear()
    chosen(id)
    draw()
    try {
      const [snapshot, profiles] = await Promise.all([readSnapshot(id), state.profiles ?? listProfiles()])
      if (state.reference !== id) {
        return
      }
      Object.assign(state, { snapshot, profiles, profile: state.profile ?? profiles[0] })
      draw()
      const newer = await newerThan(snapshot).catch(() => [])
      if (state.reference === id) {
        state.newer = newer
      }
    } catch (problem) {
      if (state.reference !== id) {
        return
      }
      state.problem = problem
      await choose()
    }
    draw()
  }

  async function choose() {
    try {
      state.others = (await listSnapshots({ status: 'saved', sort: 'created', limit: OTHERS })).filter((each) => each.id !== state.reference)
    } catch (problem) {
      state.problem ??= problem
      state.others = []
    }
    draw()
  }

  async function load(saveFirst) {
    const { snapshot, profile } = state
    Object.assign(state, { busy: true, failed: null, others: null })
    steps.clear()
    draw()
    try {
      if (saveFirst) {
        const kept = await save(open.id, '', captureSteps(steps, bytes))
        steps.say(`kept as ${nameOf(kept)}`)
        open.saved(kept)
      }
      steps.begin('Asking for the restore')
      const asked = await openSession({ snapshot: snapshot.id, profile: profile.name })
      steps.begin('Restoring files, memory and processes')
      const loaded = await started(asked.id)
      steps.begin('Reaching the interpreter')
      const context = await interpreter(loaded.id).catch((problem) => ((state.without = problem), null))
      if (open) {
        steps.begin('Ending the former session')
        await endSession(open.id).catch(() => steps.say('it could not be ended and goes on until its time is over'))
      }
      steps.done()
      state.busy = false
      dialog.close({ session: loaded, snapshot, context, steps: steps.all })
    } catch (problem) {
      steps.fail()
      Object.assign(state, { busy: false, failed: problem })
      await choose()
      dialog.element.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' })
    }
  }

  const title = () => (state.snapshot ? html`Load session <span class="mono">${nameOf(state.snapshot)}</span>` : 'Load session')
  const view = () => ({ title: title(), busy: state.busy, body: body(), actions: actions() })

  function body() {
    if (!state.reference) {
      return html`<p>Choose a saved state to go on from. ${help()}</p>${othersView()}`
    }
    if (state.problem) {
      return html`${problemNotice(state.problem)}<p>Your draft${open ? ' and the open session are' : ' is'} as before. Choose another snapshot:</p>${othersView()}`
    }
    if (!state.snapshot) {
      return html`<p class="row soft"><span class="spinner"></span>Reading the snapshot</p>`
    }
    if (state.busy) {
      return html`${steps.view('Steps of loading')}<p class="soft small">The draft is not touched.</p>`
    }
    return html`${state.failed
        ? html`${steps.view('Steps of loading')}${problemNotice(state.failed)}
            <p>Your draft is as before${open ? ', and the open session goes on' : ''}. Try again, or choose another snapshot below.</p>`
        : nothing}
      ${details()}${state.failed || state.others ? othersView() : nothing}`
  }

  function details() {
    const { snapshot, newer } = state
    const { verdict } = snapshot
    return html`<dl class="summary">
        <dt>Snapshot</dt><dd><span class="mono" title=${snapshot.id}>${nameOf(snapshot)}</span>${snapshot.names[0] ? html` <span class="soft mono small">${shortId(snapshot.id)}</span>` : nothing}</dd>
        <dt>Saved</dt><dd>${when(snapshot.savedAt ?? snapshot.createdAt)}${snapshot.expiresAt ? html`, ${new Date(snapshot.expiresAt) < Date.now() ? 'expired' : 'expires'} ${when(snapshot.expiresAt)}` : nothing}</dd>
        <dt>Size</dt><dd>${bytes(snapshot.storedBytes)} stored, ${bytes(snapshot.logicalBytes)} as it was</dd>
        <dt>Contents</dt><dd>${snapshot.memory ? 'Files, memory and processes, with the interpreter and its variables' : 'Files only: programs and interpreters begin anew'}</dd>
        ${snapshot.mounts.length ? html`<dt>Volumes</dt><dd>${mounted(snapshot.mounts, { apart: true })}<span class="soft">with what is in them now</span></dd>` : nothing}
        <dt>Source</dt><dd>Session <span class="mono">${shortId(snapshot.sourceSandboxId)}</span>, from template <span class="mono">${snapshot.templateId}</span></dd>
        <dt>Newer</dt><dd>${newer.length
          ? html`${count(newer.length, 'newer snapshot')} of the same session. <button class="link" @click=${() => look(newer[0].id)}>Take the newest, ${nameOf(newer[0])}</button>`
          : html`<span class="soft">None of the same session</span>`}</dd>
        <dt>Verdict</dt><dd>${verdict.restorable
          ? html`<span class="badge saved">${icon('done')}Can be loaded</span>`
          : html`<span class="badge failed">${icon('failed')}Cannot be loaded</span>`} <span>${words(snapshot)}</span></dd>
      </dl>
      ${verdict.restorable ? html`${profileView()}${consequences()}` : html`<p>Choose another snapshot. ${help()}</p>${state.others ? nothing : othersButton()}`}`
  }

  function profileView() {
    const { profiles, profile } = state
    return html`<fieldset class="profiles">
      <legend>Profile <span class="soft">– what the session will run with</span></legend>
      ${profiles.map(
        (each) => html`<label class=${each === profile ? 'chosen' : ''}>
          <input type="radio" name="profile" value=${each.name} .checked=${each === profile} @change=${() => ((state.profile = each), draw())}>
          <span><strong class="mono">${each.name}</strong> <span class="soft">${sets(each)}</span></span>
        </label>`,
      )}
    </fieldset>`
  }

  function consequences() {
    return html`<div class="consequences">
      <h3>What will not come back</h3>
      <ul>
        <li>Open connections to the outside are cut; programs see them as reset.</li>
        ${state.snapshot.memory ? nothing : html`<li>Variables and running programs: only files were kept.</li>`}
        <li>Files on volumes are not rolled back: they have their present contents. <a href="/console/volumes" target="_blank" rel="noopener">Share files between sessions</a></li>
        <li>The draft and the history of this browser stay as they are.</li>
      </ul>
      ${open
        ? html`<p class="notice waiting">${icon('waiting')}<span><strong>The open session <span class="mono">${shortId(open.id)}</span> ends.</strong>
            ${open.unsaved ? `What it has that was not saved is lost: ${open.unsaved}.` : 'Nothing was run in it since it was last saved or opened here.'}
            <em>Save current and load</em> keeps it first.</span></p>`
        : nothing}
      <p class="small">${help()}</p>
    </div>`
  }

  function othersView() {
    if (!state.others) {
      return html`<p class="row soft"><span class="spinner"></span>Reading the snapshots</p>`
    }
    if (!state.others.length) {
      return html`<p class="soft">There is no ${state.reference ? 'other' : ''} saved snapshot. Run something and save it; it is offered here then.</p>`
    }
    return html`<ul class="others" aria-label="Other snapshots">${state.others.map(
      (each) => html`<li>
        <button class="other" ?disabled=${!each.verdict.restorable} @click=${() => look(each.id)}>
          <span class="grow"><span class="mono">${nameOf(each)}</span>${each.verdict.restorable ? nothing : html`<span class="why soft small">${each.verdict.detail}</span>`}</span>
          ${each.verdict.restorable ? html`<span class="soft small">${bytes(each.storedBytes)}</span>` : nothing}
          ${when(each.createdAt, { end: true })}
        </button>
      </li>`,
    )}</ul>`
  }

  const othersButton = () => html`<p><button class="button" @click=${choose}>Choose another snapshot</button></p>`

  function actions() {
    const { snapshot, busy } = state
    const ready = snapshot?.verdict.restorable && me.can('sandboxes:use') && !busy && !state.problem
    return html`<button class="button" ?disabled=${busy} @click=${() => dialog.close()}>Cancel</button>
      ${open && snapshot
        ? html`<button class="button" ?disabled=${!ready || open.busy} title=${open.busy ? 'Something runs in the open session. Interrupt it first.' : ''} @click=${() => load(true)}>Save current and load</button>`
        : nothing}
      ${state.reference
        ? html`<button class="button primary" ?disabled=${!ready} @click=${() => load(false)}>${busy ? html`<span class="spinner"></span>` : nothing}Load session</button>`
        : nothing}`
  }

  dialog = openDialog(view, { large: true })
  if (reference) {
    look(reference)
  } else {
    choose()
  }
  return dialog.closed
}

const help = () => html`<a href="/console/help/load-a-saved-session" target="_blank" rel="noopener">Load a saved session</a> tells more.`

/** What a profile sets, in words. */
export function sets(profile) {
  return [
    `lives ${duration(profile.timeout)}, then ${profile.onTimeout === 'pause' ? 'is paused' : profile.onTimeout === 'end' ? 'ends' : 'does as the snapshot says'}`,
    profile.idleTimeout ? `may be idle ${duration(profile.idleTimeout)}` : `may be idle ${UNLIMITED}`,
    profile.internet === undefined ? 'internet access as the snapshot has it' : profile.internet ? 'internet access' : 'no internet access',
  ].join(' · ')
}

const REFUSALS = {
  uploads: 'It is still being saved. Only saved snapshots can be loaded; wait until it is.',
  awaitingCleanup: 'It is being removed and waits for its clean-up. Only saved snapshots can be loaded.',
  trashed: 'It is in the trash. Bring it back first.',
}

/** Why a snapshot can be loaded or not, in words. */
const words = ({ status, verdict }) => (verdict.reason === 'not_saved' ? REFUSALS[status] ?? verdict.detail : verdict.detail)

/** Saved later from the same session. */
async function newerThan(snapshot) {
  const all = await listSnapshots({ status: 'saved', sourceSandboxId: snapshot.sourceSandboxId, sort: 'created', limit: OTHERS })
  return all.filter((each) => each.createdAt > snapshot.createdAt && each.id !== snapshot.id)
}
