// The frame: who is signed in, the rail, and the page of the address.
import { html, LitElement, nothing } from 'lit'
import { get, query } from './http.js'
import { live } from './live.js'
import { openMenu } from './menu.js'
import { failedState, forbiddenState, pageState } from './page.js'
import { ADMIN_PAGES, AREA, GATE, GROUP, pageOf, SANDBOX_PAGES } from './pages.js'
import { router } from './router.js'
import { me } from './me.js'
import { toastProblem } from './toast.js'
import { icon, shortId } from './words.js'
import './signin.js'

const HOME = '/console/snapshots'
const PIECE = 100
const MOST_PROJECTS = 500

class App extends LitElement {
  static properties = { element: { state: true }, problem: { state: true }, unfolded: { state: true } }

  createRenderRoot() {
    return this
  }

  connectedCallback() {
    super.connectedCallback()
    me.addEventListener('change', () => this.#onSession())
    router.addEventListener('change', () => this.#show())
    this.#load()
  }

  async #load() {
    this.problem = null
    try {
      await me.load()
    } catch (problem) {
      this.problem = problem
    }
  }

  #onSession() {
    this.wanted = me.who ? me.wanted() : null
    this.element = null
    this.shown = null
    live.watch(me.can('snapshots:read', 'project:admin', 'service:admin') ? me.project?.id : null)
    this.#show()
  }

  /** The page that the address names; its module is loaded when it is needed. */
  async #show() {
    this.unfolded = false
    this.requestUpdate()
    if (!me.who) {
      document.title = 'Sign in · Holdfast'
      return
    }
    if (!router.route.page) {
      router.go(this.wanted ?? home(), { replace: true })
      return
    }
    const page = pageOf(router.route.page)
    document.title = `${page?.title ?? 'Not found'} · Holdfast`
    if (page && page === this.shown && this.element) {
      await this.#turn(this.element, router.route)
      return
    }
    const first = this.shown === undefined || this.shown === null
    this.shown = page
    this.element = null
    this.problem = null
    if (!page || !me.can(...page.needs)) {
      return
    }
    try {
      const [{ default: Element }] = await Promise.all([page.load(), ...(page.styles ?? []).map(styled)])
      if (this.shown === page) {
        const element = new Element()
        element.route = router.route
        this.element = element
        await this.updateComplete
        scrollTo(0, 0)
        if (!first) {
          this.querySelector('main')?.focus()
        }
      }
    } catch (problem) {
      this.problem = problem
    }
  }

  /** The same page of another address. Where what had the focus is gone with what it was in, the page has it. */
  async #turn(element, route) {
    const other = element.route.item !== route.item
    element.route = route
    if (other) {
      await element.updateComplete
      if (document.activeElement === document.body) {
        this.querySelector('main')?.focus()
      }
    }
  }

  render() {
    if (me.who === undefined) {
      return this.problem
        ? failedState('The console cannot start', this.problem, () => this.#load())
        : pageState({ symbol: 'spinner', title: 'Loading' })
    }
    if (me.who === null) {
      return html`<hf-sign-in></hf-sign-in>`
    }
    return html`<a class="skip" href="#main" @click=${this.#skip}>Skip to the page</a>
      <div class="frame">
        ${this.#rail()}
        <div class="content"><main id="main" tabindex="-1" class=${this.shown?.wide ? 'wide' : ''}>${this.#page()}</main></div>
      </div>`
  }

  #page() {
    if (!this.shown) {
      return pageState({
        symbol: 'search',
        title: 'There is no such page',
        text: 'The address is not one of the console’s.',
        actions: html`<a class="button" href=${HOME}>Go to Snapshots</a>`,
      })
    }
    if (!me.can(...this.shown.needs)) {
      return html`<h1 class="visually-hidden">${this.shown.title}</h1>${forbiddenState(this.shown.needs)}`
    }
    if (this.problem) {
      return failedState('The page could not be loaded', this.problem, () => ((this.shown = null), this.#show()))
    }
    return this.element ?? pageState({ symbol: 'spinner', title: 'Loading' })
  }

  #rail() {
    const admin = ADMIN_PAGES.filter((each) => me.can(...each.needs))
    return html`<header class="rail ${this.unfolded ? 'unfolded' : ''}">
      <a class="brand" href=${HOME} aria-label="Holdfast"><img src="/console/mark.svg" alt=""><span class="words">Holdfast</span></a>
      ${this.#switcher()}
      <button class="button quiet square unfold" aria-label="Menu" aria-expanded=${this.unfolded ? 'true' : 'false'} aria-controls="rail-nav"
        @click=${() => (this.unfolded = !this.unfolded)}>${icon('menu')}</button>
      <nav id="rail-nav" aria-label="Console">
        ${me.can(...GATE)
          ? html`<div>
              <p class="area" id="rail-area">${AREA}</p>
              <p class="group" id="rail-group">${GROUP}</p>
              <ul aria-labelledby="rail-area rail-group">${SANDBOX_PAGES.filter((each) => me.can(...each.needs)).map((each) => this.#entry(each))}</ul>
            </div>`
          : nothing}
        ${admin.length
          ? html`<div><p class="group" id="rail-admin">Administration</p><ul aria-labelledby="rail-admin">${admin.map((each) => this.#entry(each))}</ul></div>`
          : nothing}
      </nav>
    </header>`
  }

  #entry(page) {
    const current = page === this.shown
    return html`<li><a href="/console/${page.name}" title=${page.title} aria-current=${current ? 'page' : nothing}>${icon(page.name)}<span class="words">${page.title}</span></a></li>`
  }

  #switcher() {
    const { project, who } = me
    const name = project?.name ?? 'Choose a project'
    return html`<button class="switcher" aria-haspopup="menu" aria-expanded="false"
      title="${name}, signed in as ${who.name}" @click=${(event) => this.#openSwitcher(event.currentTarget)}>
      <span class="initial" aria-hidden="true">${name.slice(0, 1).toUpperCase()}</span>
      <span class="words grow">
        <strong class="who cut"><span class="visually-hidden">Project </span>${name}</strong>
        <span class="who cut small soft">${project?.slug ? html`<span class="mono">${project.slug}</span> · ` : nothing}${who.name}</span>
      </span>
      ${icon('switch')}
    </button>`
  }

  async #openSwitcher(anchor) {
    const { project, who } = me
    const projects = who.project ? [] : await choice().catch((problem) => (toastProblem(problem), []))
    openMenu(
      anchor,
      [
        ...(who.project
          ? [{ caption: html`<strong>${project.name}</strong><br>${project.slug ? html`<span class="mono">${project.slug}</span><br>` : nothing}<span class="mono">${project.id}</span>` }]
          : projects.map((each) => ({
              label: each.slug ? `${each.name} (${each.slug})` : each.name,
              checked: each.id === project?.id,
              run: () => me.choose({ id: each.id, name: each.name, slug: each.slug }),
            }))),
        '-',
        { caption: html`Signed in as ${who.name}<br> <span class="mono">${who.shown ?? shortId(who.principal)}</span><br>${me.permissions.join(', ')}` },
        { label: 'Sign out', icon: 'link', run: () => me.signOut().catch(toastProblem) },
      ],
      'Project',
    )
  }

  #skip(event) {
    event.preventDefault()
    document.querySelector('main').focus()
  }
}

/** Snapshots, or for those who may not see them the first page that they may. */
function home() {
  const first = [...SANDBOX_PAGES, ...ADMIN_PAGES].find((each) => me.can(...each.needs))
  return me.can(...pageOf('snapshots').needs) || !first ? HOME : `/console/${first.name}`
}

/** A person's projects; for those who administer the service all: the oldest first, as many as a menu can show. */
async function choice() {
  if (!me.who.permissions.includes('service:admin')) {
    return me.who.projects ?? []
  }
  const found = []
  let next
  do {
    const page = await get(`/api/v1/admin/projects${query({ limit: PIECE, after: next })}`)
    found.push(...page.projects)
    next = page.next
  } while (next && found.length < MOST_PROJECTS)
  return found
}

/** A page's own style sheet, once. */
function styled(name) {
  const href = `/console/${name}.css`
  if (document.querySelector(`link[href="${href}"]`)) {
    return undefined
  }
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  document.head.append(link)
  return new Promise((done) => (link.onload = link.onerror = done))
}

customElements.define('hf-app', App)
