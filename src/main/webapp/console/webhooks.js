// The Webhooks page: who is told what happens, and whether they take it. One of them has a page of its own.
import { html } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { chooseProject, Listed, names, who } from './admin-parts.js'
import { get } from './http.js'
import { live } from './live.js'
import { me } from './me.js'
import { openMenu } from './menu.js'
import { pageHead, pageState } from './page.js'
import { router } from './router.js'
import './webhook.js'
import { createWebhook } from './webhook-form.js'
import { menu, state, told } from './webhook-parts.js'
import { count, icon, when } from './words.js'

export default class Webhooks extends Listed {
  #onEvent = (event) => event.detail.type === 'webhook.disabled' && !this.route.item && this.load()

  connectedCallback() {
    super.connectedCallback()
    live.addEventListener('event', this.#onEvent)
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    live.removeEventListener('event', this.#onEvent)
  }

  asked() {
    return this.route.item ? null : String(me.project?.id)
  }

  async read(signal) {
    if (!me.project) {
      return { webhooks: [] }
    }
    const [answer] = await Promise.all([get(me.api('webhooks'), { signal }), names(false)])
    return answer
  }

  async #create() {
    const made = await createWebhook()
    if (made) {
      router.go(`/console/webhooks/${made.id}`)
    }
  }

  render() {
    if (!me.project) {
      return html`${pageHead({ title: 'Webhooks' })}${chooseProject('Webhooks')}`
    }
    if (this.route.item) {
      return html`<hf-webhook .route=${this.route}></hf-webhook>`
    }
    return html`${pageHead({
        title: 'Webhooks',
        help: 'Addresses that are told what happens in this project, by signed requests.',
        liveDot: true,
        actions: html`<button class="button primary" @click=${() => this.#create()}>${icon('plus')}Create webhook</button>`,
      })}
      ${this.body('webhooks', ({ webhooks }) => (webhooks.length ? this.#table(webhooks) : this.#none()))}`
  }

  #none() {
    return pageState({
      symbol: 'webhooks',
      role: 'status',
      title: 'No webhooks yet',
      text: 'A webhook gets a request whenever something happens: a snapshot is saved, a sandbox ends, a limit is near. What is not taken is tried again for a day.',
      actions: html`<button class="button primary" @click=${() => this.#create()}>${icon('plus')}Create webhook</button>`,
    })
  }

  #table(webhooks) {
    return html`<div class="sheet"><table aria-label="Webhooks">
        <thead><tr><th scope="col">Address</th><th scope="col">State</th><th scope="col">Is told</th><th scope="col">Made</th><td></td></tr></thead>
        <tbody>${repeat(webhooks, (each) => each.id, (each) => this.#row(each))}</tbody>
      </table></div>
      <p class="turns soft">${count(webhooks.length, 'webhook')}</p>`
  }

  #row(webhook) {
    const open = `/console/webhooks/${webhook.id}`
    const onRow = (event) => event.target.closest('a, button, .tipped') || getSelection().toString() || router.go(open)
    return html`<tr data-id=${webhook.id} @click=${onRow}>
      <td class="main" data-label="Address"><a class="cut block mono" href=${open} title=${webhook.url}>${webhook.url}</a></td>
      <td data-label="State">${state(webhook)}</td>
      <td class="words" data-label="Is told">${told(webhook)}</td>
      <td data-label="Made">${when(webhook.createdAt)}<br> <span class="soft small">by ${who(webhook.createdBy)}</span></td>
      <td class="act"><button class="button quiet small square" aria-haspopup="menu" aria-expanded="false" aria-label="More for ${webhook.url}" title="More"
        @click=${(event) => openMenu(event.currentTarget, menu(webhook, () => this.load(), () => this.load()))}>${icon('more')}</button></td>
    </tr>`
  }
}

customElements.define('hf-webhooks', Webhooks)
