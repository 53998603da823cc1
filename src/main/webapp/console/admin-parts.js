// What the pages of those who administer share: the project or the service, who did it, and pages of a long list.
import { html, nothing } from 'lit'
import { copy } from './copy.js'
import { openDialog, problemNotice } from './dialog.js'
import { get, query } from './http.js'
import { me } from './me.js'
import { failedState, Page, pageState } from './page.js'
import { router } from './router.js'
import { icon, shortId } from './words.js'

export const ofService = () => me.can('service:admin')

/** Whose: the service's for who administers it, if the address says so or no project is chosen. */
export const isService = (route) => ofService() && (!me.project || route.query.get('scope') === 'service')

/** The address of keys or audit of the one or the other. */
export const owned = (service, ...parts) => (service ? ['/api/v1/admin', ...parts.map(encodeURIComponent)].join('/') : me.api(...parts))

/** Which of the two, for those who have both. */
export function scopes(service) {
  if (!ofService() || !me.project) {
    return nothing
  }
  const choose = (scope) => router.go(location.pathname + query({ scope }))
  return html`<div class="segments" role="group" aria-label="Of">
    <button type="button" aria-pressed=${String(!service)} @click=${() => choose('')}>${me.project.name}</button>
    <button type="button" aria-pressed=${String(service)} @click=${() => choose('service')}>The service</button>
  </div>`
}

/** A page of a project has nothing to show before one is chosen. */
export const chooseProject = (what) =>
  pageState({
    symbol: 'projects',
    title: 'Choose a project',
    text: html`${what} belong to a project. Choose one in the project menu or in the list of all projects.`,
    actions: html`<a class="button primary" href="/console/projects">All projects</a>`,
  })

export function pick(label, options, chosen, choose) {
  const id = `pick-${label.toLowerCase().replaceAll(' ', '-')}`
  return html`<span class="pick"><label for=${id}>${label}</label>
    <select class="select" id=${id} .value=${chosen} @change=${(event) => choose(event.target.value)}>
      ${options.map(([word, text, inside]) =>
        inside
          ? html`<optgroup label=${text}>${inside.map(([each, name]) => html`<option value=${each} ?selected=${each === chosen}>${name}</option>`)}</optgroup>`
          : html`<option value=${word} ?selected=${word === chosen}>${text}</option>`,
      )}
    </select></span>`
}

/** A page with one list, read anew when what is asked for changes. Its own: `asked()`, `read(signal)` and `drawn()`. */
export class Listed extends Page {
  static properties = { route: { attribute: false }, answer: { state: true }, problem: { state: true }, busy: { state: true } }

  #asking
  #shown
  #answered
  #trail = new Map()

  disconnectedCallback() {
    super.disconnectedCallback()
    this.#asking?.abort()
  }

  willUpdate(changed) {
    if (!changed.has('route')) {
      return
    }
    const key = this.asked()
    if (key !== this.#shown) {
      this.#shown = key
      if (key !== null) {
        this.load()
      }
    }
  }

  async load() {
    this.#asking?.abort()
    const asking = (this.#asking = new AbortController())
    this.busy = true
    const key = this.#shown
    try {
      this.answer = await this.read(asking.signal)
      this.#answered = key
      this.problem = null
    } catch (problem) {
      if (problem.name === 'AbortError') {
        return
      }
      this.problem = problem
    }
    if (asking === this.#asking) {
      this.busy = false
    }
  }

  /** What there is to see, in each of its states. */
  body(what, full) {
    if (this.problem && !this.answer) {
      return this.problem.status === 403
        ? pageState({ symbol: 'keys', title: `You may not see these ${what}`, text: this.problem.message })
        : failedState(`The ${what} could not be read`, this.problem, () => this.load())
    }
    if (!this.answer) {
      return html`<div aria-busy="true">${pageState({ symbol: 'spinner', title: `Loading ${what}`, role: 'status' })}</div>`
    }
    return html`${this.problem
      ? html`<div class="band">${problemNotice(this.problem)}<button class="button small" @click=${() => this.load()}>Try again</button></div>`
      : nothing}
      <div aria-busy=${this.busy ? 'true' : 'false'}>${full(this.answer)}</div>`
  }

  /** The way through a list that has no numbers: on by what the last page said, back by where one was. */
  turns(shown, next, { words = ['Newest', 'Newer', 'Older'], more = nothing } = {}) {
    const after = this.route.query.get('after') ?? ''
    // While another list is on its way, the end of this one leads nowhere in it.
    const onward = this.#answered === this.#shown ? next : null
    if (onward) {
      this.#trail.set(onward, after)
    }
    if (!after && !next && more === nothing) {
      return html`<p class="turns soft">${shown}</p>`
    }
    const [first, back, on] = words
    const link = (label, to) =>
      to === null ? html`<button class="button" disabled>${label}</button>` : html`<a class="button" role="button" href=${router.with({ after: to, open: '', at: '' })}>${label}</a>`
    return html`<nav class="turns" aria-label="Pages"><span class="soft">${shown}</span><span class="grow"></span>${more}
      ${link(first, after ? '' : null)} ${link(back, after && this.#trail.has(after) ? this.#trail.get(after) : null)} ${link(on, onward ?? null)}</nav>`
  }
}

// ---- Who did it

const MOST_NAMES = 100
let known = { of: undefined, names: new Map() }

/** The names of keys of the project, or of the service, by their principal; those that were revoked too. */
export async function names(service) {
  const of = service ? 'service' : me.project.id
  if (known.of !== of || Date.now() - known.at > 60_000) {
    const { keys } = await get(owned(service, 'keys') + query({ state: 'all', limit: MOST_NAMES })).catch(() => ({ keys: [] }))
    known = { of, at: Date.now(), names: new Map(keys.map((each) => [`key:${each.id}`, each.name])) }
  }
  return known.names
}

export const forgetNames = () => (known = { of: undefined, names: new Map() })

/** `the nightly export`, `this key`, `system`, or as much of an ID as tells keys apart. */
export function who(principal, all = known.names) {
  const name = me.called(principal) ?? all.get(principal)
  if (name) {
    return name
  }
  const [kind, subject] = [principal.replace(/:.*/s, ''), principal.replace(/^[^:]*:?/, '')]
  return kind === 'key' ? `key ${shortId(subject)}` : kind === 'system' ? 'The system' : subject || principal
}

/** Who did what an entry tells; a person's name stands in it. */
export const actor = (entry, all) => (entry.principal.startsWith('person:') && entry.details.by) || who(entry.principal, all)

// ---- What is shown once

/** A secret in a dialog that says so; it is nowhere else, and gone with the dialog. */
export function showOnce({ title, label, secret, text, more = nothing }) {
  let took = false
  return openDialog((dialog) => ({
    title,
    body: html`<div class="notice waiting">${icon('waiting')}<p><strong>It is shown only now.</strong> ${text}</p></div>
      <div class="field"><label for="secret">${label}</label>
        <div class="row"><input class="input mono grow" id="secret" readonly spellcheck="false" autocomplete="off" .value=${secret} @focus=${(event) => event.target.select()}>
          <button class="button" autofocus @click=${() => (copy(secret, label), (took = true), dialog.update())}>${icon(took ? 'check' : 'copy')}Copy</button></div></div>
      ${more}`,
    actions: html`<button class="button primary" @click=${() => dialog.close()}>${took ? 'Done' : 'I have kept it'}</button>`,
  })).closed
}
