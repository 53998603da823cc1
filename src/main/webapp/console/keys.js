// The Keys page: who may do what here, until when, and who let them.
import { html, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { chooseProject, forgetNames, isService, Listed, names, owned, pick, scopes, showOnce, who } from './admin-parts.js'
import { ask } from './dialog.js'
import { del, get, query } from './http.js'
import { changeKey, createKey, PERMISSIONS } from './key-form.js'
import { me } from './me.js'
import { openMenu } from './menu.js'
import { pageHead, pageState } from './page.js'
import { router } from './router.js'
import { toast } from './toast.js'
import { count, icon, when } from './words.js'

const LIMIT = 50
const IN_PROJECT = 4
const STATES = [
  ['', 'Live'],
  ['revoked', 'Revoked'],
  ['all', 'All'],
]

const isMine = (key) => `key:${key.id}` === me.who.principal

export default class Keys extends Listed {
  asked() {
    const { query: asked } = this.route
    return JSON.stringify([me.project?.id, isService(this.route), asked.get('state'), asked.get('after')])
  }

  async read(signal) {
    const { query: asked } = this.route
    const service = isService(this.route)
    if (!service && !me.project) {
      return { keys: [] }
    }
    const [answer] = await Promise.all([
      get(owned(service, 'keys') + query({ state: asked.get('state'), after: asked.get('after'), limit: LIMIT }), { signal }),
      names(service),
    ])
    return answer
  }

  async #create() {
    const service = isService(this.route)
    const made = await createKey(service)
    if (!made) {
      return
    }
    forgetNames()
    await Promise.all([
      showOnce({
        title: html`Key ${made.name}`,
        label: 'API key',
        secret: made.key,
        text: 'Copy it to where it will be used. Only its hash is kept here; whoever loses it makes another and revokes this one.',
        more: service
          ? html`<p class="soft">Programs send it in the header <code>X-API-Key</code>.</p>`
          : html`<p class="soft">SDKs take it from the environment variable <code>E2B_API_KEY</code>, other programs send it in the header <code>X-API-Key</code>.</p>`,
      }),
      this.load(),
    ])
  }

  async #change(key) {
    if (await changeKey(isService(this.route), key)) {
      toast(`${key.name} is changed; it counts from the next request on`)
      forgetNames()
      this.load()
    }
  }

  async #revoke(key) {
    const done = await ask({
      title: html`Revoke ${key.name}`,
      action: 'Revoke key',
      danger: true,
      body: html`<p>Whatever uses <span class="mono">${key.mask}</span> is refused from this moment on. This cannot be taken back; the key stays in the list of revoked ones.</p>
        ${key.lastUsedAt ? html`<p>It was last used ${when(key.lastUsedAt)}.</p>` : html`<p>It was never used.</p>`}
        ${isMine(key) ? html`<div class="notice waiting">${icon('waiting')}<p>This is the key you are signed in with: you will be signed out.</p></div>` : nothing}`,
      act: () => del(owned(isService(this.route), 'keys', key.id)),
    })
    if (done) {
      toast(`${key.name} is revoked`)
      this.load()
    }
  }

  render() {
    const service = isService(this.route)
    if (!service && !me.project) {
      return html`${pageHead({ title: 'Keys' })}${chooseProject('Keys')}`
    }
    return html`${pageHead({
        title: 'Keys',
        help: service ? 'Keys of the service: projects, limits and jobs.' : 'What programs and people sign in with, and what each may do in this project.',
        actions: html`<button class="button primary" @click=${() => this.#create()}>${icon('plus')}Create key</button>`,
      })}
      <div class="filters">${scopes(service)}<span class="grow"></span>${pick('State', STATES, this.route.query.get('state') ?? '', (state) => router.change({ state, after: '' }))}</div>
      ${this.body('keys', (answer) => (answer.keys.length ? this.#table(answer) : this.#none()))}`
  }

  #none() {
    return this.route.query.get('state') || this.route.query.get('after')
      ? pageState({
          symbol: 'search',
          role: 'status',
          title: 'No keys match',
          actions: html`<button class="button primary" @click=${() => router.change({ state: '', after: '' })}>Show live keys</button>`,
        })
      : pageState({
          symbol: 'keys',
          role: 'status',
          title: 'No keys yet',
          text: 'A program needs a key to use this project. Give each its own, with no more than it needs, so that one can be revoked without the others.',
          actions: html`<button class="button primary" @click=${() => this.#create()}>${icon('plus')}Create key</button>`,
        })
  }

  #table({ keys, next }) {
    return html`<div class="sheet"><table aria-label="Keys">
        <thead><tr><th scope="col">Name</th><th scope="col">May</th><th scope="col">Last used</th><th scope="col">Expires</th><th scope="col">Made</th><td></td></tr></thead>
        <tbody>${repeat(keys, (each) => each.id, (each) => this.#row(each))}</tbody>
      </table></div>
      ${this.turns(count(keys.length, 'key'), next)}`
  }

  #row(key) {
    return html`<tr data-id=${key.id} class=${key.state === 'active' ? '' : 'faded'}>
      <td class="main" data-label="Name"><span class="called"><strong class="cut">${key.name}</strong>${isMine(key) ? html`<span class="badge progress">This session</span>` : nothing}${state(key)}</span><span class="mono soft small">${key.mask}</span></td>
      <td class="words" data-label="May">${permissions(key)}</td>
      <td data-label="Last used">${key.lastUsedAt ? when(key.lastUsedAt) : html`<span class="soft">never</span>`}</td>
      <td data-label="Expires">${key.expiresAt ? when(key.expiresAt) : html`<span class="soft">never</span>`}</td>
      <td data-label="Made">${when(key.createdAt)}<br> <span class="soft small">by ${who(key.createdBy)}</span></td>
      <td class="act">${key.state === 'revoked'
        ? nothing
        : html`<button class="button quiet small square" aria-haspopup="menu" aria-expanded="false" aria-label="More for ${key.name}" title="More"
            @click=${(event) => openMenu(event.currentTarget, this.#menu(key))}>${icon('more')}</button>`}</td>
    </tr>`
  }

  #menu(key) {
    return [
      { label: 'Change…', icon: 'keys', run: () => this.#change(key) },
      { label: 'What it did', icon: 'audit', href: `/console/audit${query({ actor: `key:${key.id}`, scope: isService(this.route) ? 'service' : '' })}` },
      '-',
      { label: 'Revoke key…', icon: 'trash', danger: true, run: () => this.#revoke(key) },
    ]
  }
}

function state(key) {
  switch (key.state) {
    case 'revoked':
      return html`<span class="badge failed">${icon('close')}Revoked ${when(key.revokedAt)}${key.revokedBy ? html` by ${who(key.revokedBy)}` : nothing}</span>`
    case 'expired':
      return html`<span class="badge waiting">${icon('waiting')}Expired</span>`
    default:
      return nothing
  }
}

/** In words; the exact one is what the API calls it. */
function permissions({ permissions: words }) {
  const known = PERMISSIONS.filter(([word]) => words.includes(word))
  if (known.length === IN_PROJECT) {
    return html`<span title=${words.join(', ')}>Everything in the project</span>`
  }
  return known.map(([word, , short], i) => html`${i ? ', ' : ''}<span title=${word}>${i ? short : short.charAt(0).toUpperCase() + short.slice(1)}</span>`)
}

customElements.define('hf-keys', Keys)
