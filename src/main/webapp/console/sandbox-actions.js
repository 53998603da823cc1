// What can be done with a sandbox that lives; each asks first where something is lost.
import { html } from 'lit'
import { copy } from './copy.js'
import { ask } from './dialog.js'
import { call, del, patch, post } from './http.js'
import { me } from './me.js'
import { toast, toastProblem } from './toast.js'
import { duration, exact } from './words.js'

const MINUTE = 60
const LENGTHS = [15 * MINUTE, 60 * MINUTE, 4 * 60 * MINUTE, 24 * 60 * MINUTE]
const MOST_LABEL = 40

/** Whoever made it may end it; others need the permission to end others'. */
const mayEnd = (sandbox) => me.can('sandboxes:manage') || sandbox.createdBy === me.who.principal

const runs = (sandbox) => sandbox.state === 'running'
const address = (sandbox, ...more) => me.api('sandboxes', sandbox.id, ...more)

/** What somebody called it in its metadata, if that is short; else nothing. */
export function label(sandbox) {
  const { metadata } = sandbox
  const text = metadata.name ?? metadata.title ?? Object.values(metadata)[0]
  return text ? (text.length > MOST_LABEL ? `${text.slice(0, MOST_LABEL - 1)}…` : text) : null
}

export const called = (sandbox) => label(sandbox) ?? sandbox.id

/** The menu: only what can be done in the state that it is in. */
export function menu(page, sandbox) {
  const then = (act) => () => act.then((done) => done && page.load())
  return [
    sandbox.state !== 'starting' && { label: 'Open in Workbench', icon: 'workbench', href: `/console/workbench?sandbox=${sandbox.id}` },
    runs(sandbox) && { label: 'Capture…', icon: 'capture', run: () => then(capture(sandbox))() },
    runs(sandbox) && { label: 'Pause', icon: 'pause', run: () => pause(page, sandbox) },
    sandbox.state === 'paused' && { label: 'Resume', icon: 'play', run: () => resume(page, sandbox) },
    ['running', 'snapshotting'].includes(sandbox.state) && { label: 'Extend…', icon: 'waiting', run: () => then(extend(sandbox))() },
    '-',
    { label: 'Copy ID', icon: 'copy', run: () => copy(sandbox.id, 'ID') },
    { label: 'Copy Python line', icon: 'copy', run: () => copy(`sandbox = Sandbox.connect("${sandbox.id}")`, 'Python line') },
    { label: 'Copy TypeScript line', icon: 'copy', run: () => copy(`const sandbox = await Sandbox.connect('${sandbox.id}')`, 'TypeScript line') },
    ...(mayEnd(sandbox) && sandbox.state !== 'snapshotting'
      ? ['-', { label: 'Kill sandbox…', icon: 'stop', danger: true, run: () => then(kill(sandbox))() }]
      : []),
  ].filter(Boolean)
}

/** Saves it; the answer comes at once, and the row follows how far that is. */
export function capture(sandbox) {
  let name = ''
  return ask({
    title: html`Capture ${called(sandbox)}`,
    action: 'Capture sandbox',
    body: html`<p>Its files, memory and processes are saved as they are at one moment, and it goes on.</p>
      <label class="field"><span class="label">Name (optional)</span>
        <input class="input mono" autofocus maxlength="400" autocomplete="off" spellcheck="false" placeholder="deps-ready:v1" @input=${(event) => (name = event.target.value)}>
        <span class="hint">Lower-case letters, digits, - and _; after a colon a tag, <span class="mono">default</span> if there is none. Without a name the snapshot is found by its ID.</span></label>`,
    act: async () => {
      await call('POST', address(sandbox, 'snapshots'), { body: name.trim() ? { name: name.trim() } : {}, headers: { Prefer: 'respond-async' } })
      toast(`${called(sandbox)} is being captured`)
    },
  })
}

/** Answered when its state is safe; meanwhile the row says how it is. */
export async function pause(page, sandbox) {
  try {
    page.pretend(sandbox, 'pausing')
    await post(address(sandbox, 'pause'))
    toast(`${called(sandbox)} is paused`, { action: { label: 'Resume', run: () => resume(page, sandbox) } })
  } catch (problem) {
    toastProblem(problem)
  }
  page.load()
}

export async function resume(page, sandbox) {
  try {
    page.pretend(sandbox, 'resuming')
    await post(address(sandbox, 'resume'))
    toast(`${called(sandbox)} runs again`)
  } catch (problem) {
    toastProblem(problem)
  }
  page.load()
}

/** Another end, counted from now, as far as the project allows. */
export function extend(sandbox) {
  const longest = me.who.limits?.longestLifetimeSeconds ?? Infinity
  const lengths = [...new Set(LENGTHS.map((each) => Math.min(each, longest)))]
  let chosen = lengths[Math.min(1, lengths.length - 1)]
  const until = (seconds) => exact(Date.now() + seconds * 1000)
  return ask({
    title: html`Extend ${called(sandbox)}`,
    action: 'Extend',
    body: html`<p>Its time is over ${exact(sandbox.endAt)}; then ${sandbox.onTimeout === 'kill' ? 'it ends' : 'it is paused'}. Let it live on from now for:</p>
      <fieldset class="options"><legend class="visually-hidden">Let it live on from now for</legend>
        ${lengths.map(
          (each) => html`<label class="row"><input type="radio" name="length" value=${each} ?checked=${each === chosen} @change=${() => (chosen = each)}>
            ${duration(each)}<span class="soft">until ${until(each)}</span></label>`,
        )}
      </fieldset>`,
    act: async () => {
      const { endAt } = await patch(address(sandbox), { timeout: chosen })
      toast(`${called(sandbox)} lives until ${exact(endAt)}`)
    },
  })
}

export function kill(sandbox) {
  const paused = sandbox.state === 'paused'
  return ask({
    title: html`Kill ${called(sandbox)}`,
    action: 'Kill sandbox',
    danger: true,
    body: html`<p>Sandbox <span class="mono">${sandbox.id}</span> ends now. ${paused ? 'The state it was paused with is removed' : 'What it holds in memory and on its disk is lost'}; snapshots of it stay.</p>
      ${sandbox.createdBy === me.who.principal ? '' : html`<p>Somebody else made it: ${me.called(sandbox.createdBy) ?? html`<span class="mono">${sandbox.createdBy}</span>`}.</p>`}`,
    act: async () => {
      await del(address(sandbox))
      toast(`${called(sandbox)} has ended`)
    },
  })
}
