// One webhook: what it is told, and what became of every delivery.
import { html, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { Listed, names, pick, who } from './admin-parts.js'
import { copied } from './copy.js'
import { eventWords } from './event-words.js'
import { get, query } from './http.js'
import { live } from './live.js'
import { me } from './me.js'
import { openMenu } from './menu.js'
import { pageHead, pageState } from './page.js'
import { router } from './router.js'
import { enable, menu, replayOne, replaySince, state, told } from './webhook-parts.js'
import { count, icon, when } from './words.js'

const LIMIT = 50
const NEWS = 1_000
const PENDING = 4_000

const STATES = [
  ['', 'All'],
  ['pending', 'On their way'],
  ['delivered', 'Delivered'],
  ['failed', 'Given up'],
]

class Webhook extends Listed {
  #timer
  #onEvent = () => this.#soon(NEWS)

  connectedCallback() {
    super.connectedCallback()
    live.addEventListener('event', this.#onEvent)
    live.addEventListener('gap', this.#onEvent)
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    live.removeEventListener('event', this.#onEvent)
    live.removeEventListener('gap', this.#onEvent)
    clearTimeout(this.#timer)
  }

  asked() {
    const { item, query: asked } = this.route
    return JSON.stringify([me.project.id, item, asked.get('state'), asked.get('after')])
  }

  async read(signal) {
    const { item, query: asked } = this.route
    const [webhook, log] = await Promise.all([
      get(me.api('webhooks', item), { signal }),
      get(me.api('webhooks', item, 'deliveries') + query({ state: asked.get('state'), after: asked.get('after'), limit: LIMIT }), { signal }),
      names(false),
    ])
    // What is on its way changes by itself, without an event that would tell it.
    if (webhook.state === 'active' && log.deliveries.some((each) => each.state === 'pending')) {
      this.#soon(PENDING)
    }
    return { webhook, ...log }
  }

  #soon(after) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.isConnected && this.load(), after)
  }

  async #replay(delivery) {
    if (await replayOne(this.answer.webhook, delivery)) {
      this.load()
    }
  }

  render() {
    if (this.problem?.status === 404) {
      return pageState({ symbol: 'search', title: 'This webhook is not there', text: this.problem.message, actions: html`<a class="button" href="/console/webhooks">All webhooks</a>` })
    }
    const webhook = this.answer?.webhook
    return html`<p class="crumb"><a href="/console/webhooks">Webhooks</a></p>
      ${pageHead({
        title: webhook ? new URL(webhook.url).host : 'Webhook',
        help: webhook ? html`<span class="mono breaks">${webhook.url}</span>` : nothing,
        liveDot: true,
        actions: webhook ? this.#actions(webhook) : nothing,
      })}
      ${this.body('deliveries', (answer) => html`${this.#facts(answer.webhook)}${this.#log(answer)}`)}`
  }

  #actions(webhook) {
    const again = () => this.load()
    return html`<div class="row">${webhook.state === 'disabled' ? html`<button class="button primary" @click=${() => enable(webhook).then(again)}>Enable</button>` : nothing}
      <button class="button" @click=${() => replaySince(webhook).then(again)}>${icon('play')}Replay…</button>
      <button class="button square" aria-haspopup="menu" aria-expanded="false" aria-label="More for this webhook" title="More"
        @click=${(event) => openMenu(event.currentTarget, menu(webhook, again, () => router.go('/console/webhooks')).filter((each) => each.label !== 'Replay…'))}>${icon('more')}</button></div>`
  }

  #facts(webhook) {
    return html`<dl class="strip">
      <div><dt>State</dt><dd>${state(webhook)}</dd></div>
      <div><dt>Is told</dt><dd>${told(webhook)}</dd></div>
      <div><dt>Made</dt><dd>${when(webhook.createdAt)} <span class="soft">by ${who(webhook.createdBy)}</span></dd></div>
      <div><dt>ID</dt><dd>${copied(webhook.id, 'webhook ID')}</dd></div>
    </dl>`
  }

  #log({ webhook, deliveries, next }) {
    const chosen = this.route.query.get('state') ?? ''
    return html`<div class="filters"><h2 class="grow">Deliveries</h2>${pick('State', STATES, chosen, (word) => router.change({ state: word, after: '' }))}</div>
      ${deliveries.length
        ? html`<div class="sheet"><table aria-label="Deliveries">
            <thead><tr><th scope="col">Event</th><th scope="col">State</th><th scope="col" class="figure">Tries</th><th scope="col">Last try</th><th scope="col">Happened</th><td></td></tr></thead>
            <tbody>${repeat(deliveries, (each) => each.id, (each) => this.#row(webhook, each))}</tbody></table></div>
            ${this.turns(count(deliveries.length, 'delivery', 'deliveries'), next)}`
        : this.#none(chosen || this.route.query.get('after'))}`
  }

  #none(filtered) {
    return filtered
      ? pageState({ symbol: 'search', role: 'status', title: 'No deliveries match', actions: html`<button class="button primary" @click=${() => router.change({ state: '', after: '' })}>Show all</button>` })
      : pageState({
          symbol: 'webhooks',
          role: 'status',
          title: 'Nothing was sent yet',
          text: html`Deliveries turn up here as soon as something happens that it is told. To try it, save a snapshot, or have earlier events sent with <em>Replay</em>.`,
        })
  }

  #row(webhook, delivery) {
    return html`<tr data-id=${delivery.id}>
      <td class="main" data-label="Event"><span class="block">${eventWords(delivery.type)}</span><span class="soft small mono">${delivery.type}</span> ${copied(delivery.id, 'event ID', { whole: true })}</td>
      <td class="words" data-label="State">${outcome(webhook, delivery)}</td>
      <td class="figure" data-label="Tries">${delivery.attempts}</td>
      <td data-label="Last try">${when(delivery.lastAttemptAt)}</td>
      <td data-label="Happened">${when(delivery.timestamp, { end: true })}</td>
      <td class="act"><button class="button small" aria-label="Replay ${delivery.id}" @click=${() => this.#replay(delivery)}>Replay</button></td>
    </tr>`
  }
}

function outcome(webhook, delivery) {
  const { state: word, status, detail, nextAttemptAt, attempts } = delivery
  const answered = status ? `, ${status}` : ''
  const why = detail && word !== 'delivered' ? html`<details class="answer"><summary><span class="cut">${detail}</span></summary><pre>${detail}</pre></details>` : nothing
  switch (word) {
    case 'delivered':
      return html`<span class="badge saved">${icon('done')}Delivered${answered}</span>`
    case 'failed':
      return html`<span class="badge failed">${icon('failed')}Given up${answered}</span>${why}`
    default:
      return html`<span class="badge ${attempts ? 'waiting' : 'progress'}">${icon(attempts ? 'waiting' : 'progress')}${attempts ? `Not taken${answered}` : 'On its way'}</span>
        ${webhook.state === 'disabled' ? html`<span class="soft small">waits until it is enabled</span>` : attempts && nextAttemptAt ? html`<span class="soft small">next try ${Date.parse(nextAttemptAt) > Date.now() ? when(nextAttemptAt) : 'now'}</span>` : nothing}${why}`
  }
}

customElements.define('hf-webhook', Webhook)
