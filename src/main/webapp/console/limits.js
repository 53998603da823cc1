// The Limits page: what the project may have at once, what it has, and how long snapshots are kept.
import { html, nothing } from 'lit'
import { chooseProject, Listed, ofService } from './admin-parts.js'
import { get } from './http.js'
import { changeLimits, changePolicy, kept, LIMITS } from './limits-form.js'
import { live } from './live.js'
import { me } from './me.js'
import { pageHead } from './page.js'
import { icon } from './words.js'

const WARN = 80

export default class Limits extends Listed {
  #onEvent = (event) => event.detail.subject.kind === 'quota' && this.load()

  connectedCallback() {
    super.connectedCallback()
    live.addEventListener('event', this.#onEvent)
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    live.removeEventListener('event', this.#onEvent)
  }

  asked() {
    return String(me.project?.id)
  }

  async read(signal) {
    if (!me.project) {
      return null
    }
    const [storage, project, terms] = await Promise.all([
      get(me.api('storage'), { signal }),
      me.can('project:admin') ? get(me.api(), { signal }) : null,
      ofService() ? get(`/api/v1/admin/projects/${encodeURIComponent(me.project.id)}`, { signal }) : null,
    ])
    return { storage, project, terms }
  }

  updated() {
    this.querySelectorAll('.meter > span').forEach((each) => (each.style.width = `${each.dataset.percent}%`))
  }

  render() {
    if (!me.project) {
      return html`${pageHead({ title: 'Limits' })}${chooseProject('Limits')}`
    }
    const terms = this.answer?.terms
    return html`${pageHead({
        title: 'Limits',
        help: 'How much this project may have at once.',
        liveDot: true,
        actions: terms ? html`<button class="button primary" @click=${() => changeLimits(terms).then((done) => done && this.load())}>Change limits</button>` : nothing,
      })}
      ${this.body('limits', (answer) => html`${over(answer.storage)}${table(answer.storage)}${note(answer.storage)}${this.#policy(answer)}`)}`
  }

  #policy({ project, terms }) {
    const of = project ?? terms
    return html`<section class="policy"><div class="row"><h2 class="grow">How long snapshots are kept</h2>
        ${project ? html`<button class="button small" @click=${() => changePolicy(project).then((done) => done && this.load())}>Change</button>` : nothing}</div>
      <dl class="strip"><div><dt>Saved from now on</dt><dd>${kept(of.retentionSeconds)}</dd></div>
        ${project ? html`<div><dt>In the trash</dt><dd>${kept(project.trashSeconds)}</dd></div>` : nothing}
        ${terms ? html`<div><dt>Longest</dt><dd>${kept(terms.longestRetentionSeconds)}</dd></div><div><dt>Audit</dt><dd>${kept(terms.auditRetentionSeconds)}</dd></div>` : nothing}</dl></section>`
  }
}

function over({ over: more, warnings }) {
  return more
    ? html`<div class="band"><div class="notice failed" role="alert">${icon('failed')}<p>More is used than is allowed. Nothing is removed for that, and nothing new is admitted until it fits: delete snapshots, end sandboxes, or have the limit raised.</p></div></div>`
    : warnings.length
      ? html`<div class="band"><div class="notice waiting" role="status">${icon('waiting')}<p>${warnings.map((each) => `${label(each.what)}: ${each.percent} % used`).join('; ')}.</p></div></div>`
      : nothing
}

const label = (what) => LIMITS.find(([name]) => name === what)?.[1] ?? what

function table({ plan, serviceLimit, limit, used }) {
  return html`<div class="sheet"><table aria-label="Limits">
    <thead><tr><th scope="col">Limit</th><th scope="col" class="figure">Plan allowance</th><th scope="col" class="figure">Service limit</th><th scope="col" class="figure">Enforced</th><th scope="col" class="figure">Used</th><td></td></tr></thead>
    <tbody>${LIMITS.map(([name, text, , , write]) => {
      const has = used[name]
      const percent = has === undefined ? null : limit[name] ? Math.floor((100 * has) / limit[name]) : 100
      const meaning = percent > 100 ? 'failed' : percent >= WARN ? 'waiting' : ''
      const differs = serviceLimit && serviceLimit[name] !== plan[name]
      return html`<tr>
        <th scope="row" class="main">${text}</th>
        <td class="figure" data-label="Plan allowance">${differs ? html`<s class="soft">${write(plan[name])}</s>` : write(plan[name])}</td>
        <td class="figure" data-label="Service limit">${serviceLimit ? write(serviceLimit[name]) : html`<span class="soft" aria-label="none">–</span>`}</td>
        <td class="figure" data-label="Enforced"><strong>${write(limit[name])}</strong></td>
        <td class="figure" data-label="Used">${has === undefined ? html`<span class="soft" aria-label="none">–</span>` : write(has)}</td>
        <td class="gauge" data-label="Share">${percent === null ? nothing : html`<span class="row"><span class="meter grow ${meaning}"><span data-percent=${Math.min(100, percent)}></span></span><span class="small share">${percent} %</span></span>`}</td>
      </tr>`
    })}</tbody></table></div>`
}

function note({ serviceLimit }) {
  return html`<p class="turns soft">${serviceLimit ? 'A service limit is set: it is enforced instead of the plan.' : 'What is enforced is the plan.'}
    ${ofService() ? '' : 'Whoever administers the service can change both.'}</p>`
}

customElements.define('hf-limits', Limits)
