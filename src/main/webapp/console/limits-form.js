// What a project may have at once: two allowances, the one that was sold and the one that is enforced instead of it.
import { html } from 'lit'
import { ask } from './dialog.js'
import { patch } from './http.js'
import { toast } from './toast.js'
import { bytes, duration, number } from './words.js'

const GIB = 2 ** 30
const DAY = 86_400

/** The member, what it is called, its unit, its size in the API's, and how it is written. */
export const LIMITS = [
  ['bytes', 'Stored bytes', 'GiB', GIB, bytes],
  ['snapshots', 'Snapshots', '', 1, number],
  ['liveSandboxes', 'Live sandboxes', '', 1, number],
  ['longestLifetimeSeconds', 'Longest lifetime of a sandbox', 'hours', 3_600, duration],
]

const shown = (value, size) => String(Number((value / size).toFixed(3)))

/** What was not touched is left as exact as it was. */
function read(asked, before, of) {
  const changed = {}
  for (const [name, label, , size] of LIMITS) {
    if (before && asked[name] === shown(before[name], size)) {
      continue
    }
    const value = Number(asked[name])
    if (asked[name].trim() === '' || !Number.isFinite(value) || value < 0) {
      throw new Error(`“${label}” of the ${of} is a number, 0 or more.`)
    }
    changed[name] = Math.round(value * size)
  }
  return changed
}

const typed = (allowance) => Object.fromEntries(LIMITS.map(([name, , , size]) => [name, shown(allowance[name], size)]))

/** For who administers the service; gives the project as it is then, or undefined. */
export async function changeLimits(project) {
  const plan = typed(project.plan)
  const service = typed(project.serviceLimit ?? project.plan)
  let limited = Boolean(project.serviceLimit)
  const inputs = (asked, of) =>
    LIMITS.map(([name, label, unit]) => html`<td data-label=${of[0].toUpperCase() + of.slice(1)}><span class="row"><input class="input" inputmode="decimal" aria-label="${label}, ${of}" .value=${asked[name]} ?disabled=${of === 'service limit' && !limited} @input=${(event) => (asked[name] = event.target.value)}><span class="soft small unit">${unit}</span></span></td>`)
  const done = await ask({
    title: html`Limits of ${project.name}`,
    action: 'Save limits',
    large: true,
    body: (dialog) => {
      const [left, right] = [inputs(plan, 'plan allowance'), inputs(service, 'service limit')]
      return html`<p>In force at once. Nothing is removed when more is used than is allowed then; nothing new is admitted until it fits.</p>
        <label class="row"><input class="check" type="checkbox" .checked=${limited} @change=${(event) => ((limited = event.target.checked), dialog.update())}>A service limit is enforced instead of the plan</label>
        <table class="inputs"><thead><tr><td></td><th scope="col">Plan allowance</th><th scope="col">Service limit</th></tr></thead>
          <tbody>${LIMITS.map(([, label], i) => html`<tr><th scope="row">${label}</th>${left[i]}${right[i]}</tr>`)}</tbody></table>`
    },
    act: () => patch(`/api/v1/admin/projects/${project.id}`, {
      plan: read(plan, project.plan, 'plan allowance'),
      serviceLimit: limited ? read(service, project.serviceLimit, 'service limit') : null,
    }),
  })
  return done && (toast(`The limits of ${project.name} are changed`), done)
}

/** How long snapshots are kept, in words. */
export const kept = (seconds) => (seconds === undefined || seconds === null ? 'as long as the service has it' : seconds ? duration(seconds) : 'not at all')

/** For who administers the project. */
export async function changePolicy(project) {
  const asked = { keep: project.retentionSeconds ? shown(project.retentionSeconds, DAY) : '', trash: shown(project.trashSeconds, DAY) }
  const days = (text, label) => {
    const value = Number(text)
    if (!Number.isFinite(value) || value < 0) {
      throw new Error(`“${label}” is a number of days, 0 or more.`)
    }
    return Math.round(value * DAY)
  }
  const done = await ask({
    title: 'How long snapshots are kept',
    action: 'Save',
    body: () => html`<p>It counts for what is saved or deleted from now on; what exists keeps its expiry.</p>
      <div class="field"><label for="keep">Keep saved snapshots, in days</label><input class="input" id="keep" inputmode="decimal" autofocus placeholder="as long as the service has it" .value=${asked.keep} @input=${(event) => (asked.keep = event.target.value)}>
        <span class="hint">Empty: as long as the service has it</span></div>
      <div class="field"><label for="trash">Keep deleted ones in the trash, in days</label><input class="input" id="trash" inputmode="decimal" .value=${asked.trash} @input=${(event) => (asked.trash = event.target.value)}>
        <span class="hint">0: they cannot be brought back</span></div>`,
    act: () => patch(`/api/v1/projects/${project.id}`, { retentionSeconds: days(asked.keep, 'Keep saved snapshots'), trashSeconds: days(asked.trash, 'Keep deleted ones') }),
  })
  return done && (toast('How long snapshots are kept is changed'), done)
}
