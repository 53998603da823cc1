// The project's rules of what is kept, what they would let go now, and for administrators how to change them.
import { html, nothing } from 'lit'
import { get, patch, post } from './http.js'
import { ask, problemNotice } from './dialog.js'
import { failedState, Page, pageState } from './page.js'
import { me } from './me.js'
import { review } from './retention-review.js'
import { editPolicy } from './retention-form.js'
import { ruleInWords } from './retention-words.js'
import { toast } from './toast.js'
import { duration, when } from './words.js'

const DAY = 86_400

class Retention extends Page {
  static properties = { policy: { state: true }, project: { state: true }, problem: { state: true }, preview: { state: true }, previewProblem: { state: true }, busy: { state: true } }

  connectedCallback() {
    super.connectedCallback()
    this.setAttribute('role', 'region')
    this.setAttribute('aria-labelledby', 'retention-head')
    this.load()
  }

  load = async () => {
    try {
      ;[this.policy, this.project] = await Promise.all([get(me.api('retention')), get(me.api())])
      this.problem = this.preview = null
    } catch (problem) {
      this.problem = problem
    }
  }

  render() {
    return html`<header class="row wrap"><h2 class="grow" id="retention-head">Retention</h2>
        ${this.policy && me.can('project:admin')
          ? html`<button class="button small" @click=${() => editTerms(this.project).then((done) => done && this.load())}>Change times</button>
              <button class="button small" @click=${() => editPolicy(this.policy).then((done) => done && this.load())}>Edit policy</button>`
          : nothing}
      </header>${this.#body()}`
  }

  #body() {
    const { policy, problem } = this
    if (problem && !policy) {
      return failedState('The retention policy could not be read', problem, this.load)
    }
    if (!policy) {
      return html`<div aria-busy="true">${pageState({ symbol: 'spinner', title: 'Loading the retention policy', role: 'status' })}</div>`
    }
    const { rules, zone } = policy.policy
    return html`${this.#terms()}
      ${rules.length
        ? html`<h3>Policy, version ${policy.version}</h3>
            <ol class="rules" aria-label="Rules">${rules.map((each) => html`<li>${ruleInWords(each)}</li>`)}</ol>
            <p class="soft small">The first rule that is about a snapshot decides; what no rule is about is kept until it expires. Hours and days are those of ${zone}. Set ${when(policy.createdAt)}${policy.appliesToExisting ? ', also for what was there' : ', for what is saved since'}.</p>`
        : html`<p class="soft">${policy.version ? html`Version ${policy.version} of the policy has no rules` : 'There is no policy'}: every snapshot is kept until it expires.</p>`}
      ${rules.length
        ? html`<div><button class="button" ?disabled=${this.busy} aria-expanded=${this.preview ? 'true' : 'false'} @click=${this.#look}>${this.busy ? html`<span class="spinner"></span>` : nothing}${this.preview ? 'Look again' : 'Preview what goes now'}</button></div>`
        : nothing}
      ${this.previewProblem ? problemNotice(this.previewProblem) : nothing}
      <div aria-live="polite">${this.preview ? review(this.preview) : nothing}</div>`
  }

  #terms() {
    const { retentionSeconds, trashSeconds } = this.project
    return html`<dl class="terms">
      <div><dt>A new snapshot expires</dt><dd>${retentionSeconds ? html`<strong>${duration(retentionSeconds)}</strong> after it is saved` : html`as the service has it: <strong>7 days</strong> unless it was configured otherwise`}</dd></div>
      <div><dt>What is deleted or expires</dt><dd>${trashSeconds ? html`can be brought back for <strong>${duration(trashSeconds)}</strong>, and counts meanwhile` : 'is gone at once; there is no trash'}</dd></div>
    </dl>`
  }

  #look = async () => {
    this.busy = true
    try {
      this.preview = await post(me.api('retention', 'preview'), { limit: 50 })
      this.previewProblem = null
    } catch (problem) {
      this.previewProblem = problem
    }
    this.busy = false
  }
}

/** How long what is saved from now on is kept, and how long what goes can be brought back. */
function editTerms({ retentionSeconds, trashSeconds }) {
  const days = (seconds) => (seconds ? String(Number((seconds / DAY).toFixed(4))) : '')
  const typed = { retention: days(retentionSeconds), trash: days(trashSeconds) }
  const field = (name, label, hint) => html`<label class="field"><span class="label">${label}</span>
    <input class="input" type="number" min="0" step="any" inputmode="decimal" .value=${typed[name]} @input=${(event) => (typed[name] = event.target.value)}><span class="hint">${hint}</span></label>`
  return ask({
    title: 'Change times',
    action: 'Save times',
    body: html`<p>They hold for what is saved or goes from now on; what is there is untouched.</p>
      ${field('retention', 'Days until a new snapshot expires', 'Empty: as the service has it')}
      ${field('trash', 'Days in the trash', 'Empty: no trash. What is in the trash counts toward the limits')}`,
    act: async () => {
      await patch(me.api(), { retentionSeconds: seconds(typed.retention), trashSeconds: seconds(typed.trash) })
      toast('The times are saved')
    },
  })
}

const seconds = (days) => Math.round(Number(days || 0) * DAY)

customElements.define('hf-retention', Retention)
