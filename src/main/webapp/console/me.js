// Who is signed in: with a key, or as a person. The key goes to the server once; what stays here is the sign-in's token, in memory only.
import { authorise, get, news, post, call } from './http.js'

const HERE = '/console/sign-in'
const CHOSEN = 'holdfast.project'
const WANTED = 'holdfast.wanted'

/** Dispatches `change` when somebody signs in or out or chooses another project. */
class Me extends EventTarget {
  /** undefined until it is known, null when nobody is signed in. */
  who = undefined
  project = null
  /** The way to sign in beside the key: { name, address }. */
  openId = null

  constructor() {
    super()
    news.addEventListener('signedout', () => this.who && this.#become(null))
  }

  async load() {
    const answer = await get(HERE)
    this.openId = answer.openId ?? null
    this.#become(answer.signedIn ? answer : null)
  }

  /** Before the browser leaves for the provider, which sends it back to the front page: the page that was wanted. */
  leave() {
    sessionStorage.setItem(WANTED, location.pathname + location.search)
  }

  /** That page, once. */
  wanted() {
    const address = sessionStorage.getItem(WANTED)
    sessionStorage.removeItem(WANTED)
    return address?.startsWith('/console/') && address !== '/console/' ? address : null
  }

  async signIn(key) {
    this.#become(await post(HERE, { key }))
  }

  /** A person signs out at the provider too, if it wants to hear of it. */
  async signOut() {
    const answer = await call('DELETE', HERE)
    if (answer?.next) {
      location.assign(answer.next)
    } else {
      this.#become(null)
    }
  }

  /** What people call a principal, as far as this session knows: themselves, and persons of their projects. */
  called(principal) {
    return principal === this.who?.principal ? this.who.name : this.who?.people?.[principal]
  }

  /** What the key may, or the person in the project that is chosen. */
  get permissions() {
    return this.who?.projects?.find((each) => each.id === this.project?.id)?.permissions ?? this.who?.permissions ?? []
  }

  /** Whether one of these is among them. */
  can(...permissions) {
    return permissions.some((each) => this.permissions.includes(each))
  }

  /** Of those who administer the service, and of persons with several; everybody else has the one project of their key. */
  choose(project) {
    this.project = project
    sessionStorage.setItem(CHOSEN, JSON.stringify(project))
    this.dispatchEvent(new Event('change'))
  }

  /** The address of something of the project in the native API; each part is encoded. */
  api(...parts) {
    return ['/api/v1/projects', ...[this.project.id, ...parts].map(encodeURIComponent)].join('/')
  }

  #become(who) {
    this.who = who
    authorise(who?.csrf ?? null)
    this.project = who && (who.project ?? this.#remembered(who) ?? who.projects?.[0] ?? null)
    this.dispatchEvent(new Event('change'))
  }

  /** Of the one who chose it before in this tab, who may have been somebody else. */
  #remembered(who) {
    try {
      const project = JSON.parse(sessionStorage.getItem(CHOSEN))
      return who.permissions.includes('service:admin') ? project : who.projects?.find((each) => each.id === project?.id)
    } catch {
      return null
    }
  }
}

export const me = new Me()
