// What a webhook is made and changed with.
import { html, nothing } from 'lit'
import { showOnce } from './admin-parts.js'
import { ask } from './dialog.js'
import { EVENTS } from './event-words.js'
import { patch, post } from './http.js'
import { me } from './me.js'
import { toast } from './toast.js'
import { count } from './words.js'

export const address = (webhook, ...more) => me.api('webhooks', webhook.id, ...more)
export const host = (webhook) => new URL(webhook.url).host

/** Gives the webhook, whose secret has been shown by then; or undefined. */
export async function createWebhook() {
  const asked = { url: '', all: true, types: new Set(), search: '' }
  const made = await ask({
    title: 'Create webhook',
    action: 'Create webhook',
    large: true,
    body: (dialog) => fields(asked, dialog),
    act: () => post(me.api('webhooks'), terms(asked)),
  })
  if (made) {
    await showSecret(made, html`Webhook to ${host(made)}`)
  }
  return made
}

export async function changeWebhook(webhook) {
  const asked = { url: webhook.url, all: !webhook.types.length, types: new Set(webhook.types), search: '' }
  const changed = await ask({
    title: html`Change the webhook to ${host(webhook)}`,
    action: 'Save',
    large: true,
    body: (dialog) => fields(asked, dialog),
    act: () => patch(address(webhook), terms(asked)),
  })
  return changed && (toast('The webhook is changed; every try from now on is by it'), changed)
}

export const showSecret = (webhook, title) =>
  showOnce({
    title,
    label: 'Signing secret',
    secret: webhook.secret,
    text: 'Give it to the receiver, which checks with it that a delivery comes from here.',
    more: html`<p class="soft">Deliveries are signed as Standard Webhooks has it, in the headers <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>; there are libraries for it in most languages.</p>`,
  })

function terms({ url, all, types }) {
  if (!url.trim()) {
    throw new Error('Say where deliveries go: an address that begins with https://.')
  }
  if (!all && !types.size) {
    throw new Error('Choose at least one type of events, or all.')
  }
  return { url: url.trim(), types: all ? [] : [...types] }
}

function fields(asked, dialog) {
  const all = (on) => ((asked.all = on), dialog.update())
  return html`<div class="field"><label for="hook-url">Address</label>
      <input class="input mono" id="hook-url" type="url" autofocus required maxlength="2000" autocomplete="off" spellcheck="false" placeholder="https://example.com/holdfast" .value=${asked.url} @input=${(event) => (asked.url = event.target.value)}>
      <span class="hint">It gets a POST for each event, and answers with 2xx when it has it</span></div>
    <fieldset class="boxes"><legend>What it is told</legend>
      <label class="row"><input type="radio" name="types" .checked=${asked.all} @change=${() => all(true)}>Everything that happens in the project</label>
      <label class="row"><input type="radio" name="types" .checked=${!asked.all} @change=${() => all(false)}>Chosen types of events</label>
      ${asked.all ? nothing : types(asked, dialog)}
    </fieldset>`
}

function types(asked, dialog) {
  const search = asked.search.trim().toLowerCase()
  const groups = EVENTS.map(([label, inside]) => [label, Object.entries(inside).filter(([type, words]) => `${type} ${words} ${label}`.toLowerCase().includes(search))]).filter(([, inside]) => inside.length)
  const tick = (all, on) => (all.forEach((type) => (on ? asked.types.add(type) : asked.types.delete(type))), dialog.update())
  return html`<div class="chooser">
    <div class="row"><label class="visually-hidden" for="type-search">Search types of events</label>
      <input class="input grow" id="type-search" type="search" placeholder="Search types of events" autocomplete="off" .value=${asked.search} @keydown=${(event) => event.key === 'Enter' && event.preventDefault()} @input=${(event) => ((asked.search = event.target.value), dialog.update())}>
      <span class="soft small" aria-live="polite">${count(asked.types.size, 'chosen', 'chosen')}</span></div>
    <div class="choices" tabindex="0" role="group" aria-label="Types of events">${groups.length
      ? groups.map(([label, inside]) => {
          const chosen = inside.filter(([type]) => asked.types.has(type)).length
          return html`<div role="group" aria-label=${label}>
            <label class="row group"><input class="check" type="checkbox" .checked=${chosen === inside.length} .indeterminate=${chosen > 0 && chosen < inside.length}
              @change=${(event) => tick(inside.map(([type]) => type), event.target.checked)}>${label}</label>
            ${inside.map(([type, words]) => html`<label class="row"><input class="check" type="checkbox" .checked=${asked.types.has(type)} @change=${(event) => tick([type], event.target.checked)}><span class="grow">${words}</span><code class="soft small">${type}</code></label>`)}
          </div>`
        })
      : html`<p class="soft">No type of events has “${asked.search.trim()}” in it.</p>`}</div>
  </div>`
}
