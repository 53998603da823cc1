// Editing the policy: first the rules, then what they would do, and only then they are saved.
import { html, nothing } from 'lit'
import { post, put } from './http.js'
import { openDialog, problemNotice } from './dialog.js'
import { me } from './me.js'
import { review } from './retention-review.js'
import { toast } from './toast.js'
import { icon } from './words.js'

const DAY = 86_400
const COUNTS = [
  ['keepLast', 'Newest'],
  ['keepHourly', 'Hourly'],
  ['keepDaily', 'Daily'],
  ['keepWeekly', 'Weekly'],
  ['keepMonthly', 'Monthly'],
]
const AGES = [
  ['minimumAgeSeconds', 'Keep younger than (days)'],
  ['maximumAgeSeconds', 'Let go from (days)'],
]
const OVER = [
  ['name', 'each name'],
  ['source', 'each sandbox'],
  ['project', 'the whole project'],
]
const MOST_SHOWN = 50

/** Resolves with true when a version was saved. */
export function editPolicy(current) {
  const form = { zone: current.policy.zone, rules: current.policy.rules.map(typed), existing: false, preview: null, problem: null, busy: false }
  if (!form.rules.length) {
    form.rules.push(typed({ per: 'name', keepLast: 3 }))
  }
  const dialog = openDialog((self) => view(self, form, current), { large: true })
  return dialog.closed
}

/** A rule as it stands in the fields. */
function typed(rule) {
  const text = (value) => (value === undefined || value === null ? '' : String(value))
  const days = (value) => (value ? text(Number((value / DAY).toFixed(4))) : '')
  return {
    name: text(rule.name),
    labels: Object.entries(rule.labels ?? {}).map(([key, value]) => `${key}=${value}`).join(', '),
    per: rule.per ?? 'name',
    ...Object.fromEntries(COUNTS.map(([member]) => [member, text(rule[member])])),
    ...Object.fromEntries(AGES.map(([member]) => [member, days(rule[member])])),
  }
}

/** What the fields say, for the server, which is the one to refuse. */
function policyOf(form) {
  return { zone: form.zone.trim() || 'UTC', rules: form.rules.map(ruleOf) }
}

function ruleOf(rule) {
  const counts = COUNTS.filter(([member]) => rule[member] !== '').map(([member]) => [member, Number(rule[member])])
  const labels = rule.labels.split(',').map((each) => each.trim()).filter(Boolean).map((each) => {
    const at = each.indexOf('=')
    if (at < 1) {
      throw new Error(`“${each}” is no label. Write key=value, and a comma between two.`)
    }
    return [each.slice(0, at).trim(), each.slice(at + 1).trim()]
  })
  return {
    ...(rule.name.trim() ? { name: rule.name.trim() } : {}),
    ...(labels.length ? { labels: Object.fromEntries(labels) } : {}),
    ...(counts.length ? { per: rule.per, ...Object.fromEntries(counts) } : {}),
    ...Object.fromEntries(AGES.filter(([member]) => rule[member] !== '').map(([member]) => [member, Math.round(Number(rule[member]) * DAY)])),
  }
}

function view(dialog, form, current) {
  return {
    title: form.preview ? `What version ${current.version + 1} would do` : 'Edit the retention policy',
    busy: form.busy,
    body: html`${form.preview ? looked(form) : fields(dialog, form)}${form.problem ? problemNotice(form.problem) : nothing}`,
    actions: form.preview
      ? html`<button class="button" ?disabled=${form.busy} @click=${() => back(dialog, form)}>Back</button>
          <button class="button ${form.existing && form.preview.going.count ? 'danger' : 'primary'}" ?disabled=${form.busy} @click=${() => run(dialog, form, () => save(dialog, form, current))}>Save version ${current.version + 1}</button>`
      : html`<button class="button" ?disabled=${form.busy} @click=${() => dialog.close()}>Cancel</button>
          <button class="button primary" ?disabled=${form.busy} @click=${() => run(dialog, form, () => look(form))}>Preview</button>`,
  }
}

async function run(dialog, form, act) {
  form.busy = true
  form.problem = null
  dialog.update()
  try {
    await act()
  } catch (problem) {
    form.problem = problem
  }
  form.busy = false
  if (dialog.element.isConnected) {
    dialog.update()
  }
}

async function look(form) {
  form.preview = await post(me.api('retention', 'preview'), { policy: policyOf(form), applyToExisting: form.existing, limit: MOST_SHOWN })
}

function back(dialog, form) {
  form.preview = form.problem = null
  dialog.update()
}

async function save(dialog, form, current) {
  const saved = await put(
    me.api('retention'),
    { policy: policyOf(form), applyToExisting: form.existing, ...(form.existing ? { previewed: form.preview.previewed } : {}) },
    { headers: { 'If-Match': `"${current.version}"` } },
  )
  toast(`Version ${saved.version} of the retention policy is in force`)
  dialog.close(true)
}

function looked(form) {
  return html`<p>${form.existing ? 'It also rules what is there: what goes is deleted when the job runs next.' : 'It rules what is saved from now on; what is there stays under the version it was saved under.'}</p>${review(form.preview)}`
}

function fields(dialog, form) {
  const drawn = (act) => () => {
    act()
    dialog.update()
  }
  return html`<p class="soft">The first rule that is about a snapshot decides. What no rule is about is kept until it expires.</p>
    ${form.rules.map((rule, i) => fieldset(form, rule, i, drawn))}
    <div><button class="button small" @click=${drawn(() => form.rules.push(typed({})))}>${icon('plus')}Add a rule</button></div>
    <label class="field"><span class="label">Time zone of hours and days</span><input class="input" autocomplete="off" spellcheck="false" .value=${form.zone} @input=${(event) => (form.zone = event.target.value)}></label>
    <label class="row"><input class="check" type="checkbox" .checked=${form.existing} @change=${drawn(() => (form.existing = !form.existing))}>Apply to the snapshots that are there</label>`
}

function fieldset(form, rule, i, drawn) {
  const field = (member, label, more = {}) => html`<label class="field"><span class="label">${label}</span>
    <input class="input" type=${more.type ?? 'text'} min=${more.min ?? nothing} step=${more.step ?? nothing} placeholder=${more.hint ?? ''} autocomplete="off" spellcheck="false" .value=${rule[member]} @input=${(event) => (rule[member] = event.target.value)}></label>`
  return html`<fieldset class="rule"><legend>Rule ${i + 1}</legend>
    <div class="fields two">${field('name', 'Name', { hint: 'any; nightly-*:v1' })} ${field('labels', 'Labels', { hint: 'any; team=claims' })}</div>
    <div class="fields five">${COUNTS.map(([member, label]) => field(member, label, { type: 'number', min: 1, step: 1 }))}</div>
    <div class="fields three"><label class="field"><span class="label">Counted over</span>
        <select class="select" .value=${rule.per} @change=${(event) => (rule.per = event.target.value)}>${OVER.map(([word, label]) => html`<option value=${word} ?selected=${word === rule.per}>${label}</option>`)}</select></label>
      ${AGES.map(([member, label]) => field(member, label, { type: 'number', min: 0, step: 'any' }))}</div>
    <div class="row">${i ? html`<button class="button quiet small" aria-label="Move rule ${i + 1} up" @click=${drawn(() => form.rules.splice(i - 1, 2, rule, form.rules[i - 1]))}>${icon('up')}Up</button>` : nothing}
      <span class="grow"></span><button class="button quiet small" aria-label="Remove rule ${i + 1}" @click=${drawn(() => form.rules.splice(i, 1))}>${icon('close')}Remove</button></div>
  </fieldset>`
}
