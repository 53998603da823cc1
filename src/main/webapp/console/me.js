// Who is signed in. The key goes to the server once; what stays here is the sign-in's token, in memory only.
import { authorise, get, news, post, call } from './http.js'

const HERE = '/console/sign-in'
const CHOSEN = 'holdfast.project'

/** Dispatches `change` when somebody signs in or out or chooses another project. */
class Me extends EventTarget {
  /** undefined until it is known, null when nobody is signed in. */
  who = undefined
  project = null

  constructor() {
    super()
    news.addEventListener('signedout', () => this.who && this.#become(null))
  }

  async load() {
    const answer = await get(HERE)
    this.#become(answer.signedIn ? answer : null)
  }

  async signIn(key) {
    this.#become(await post(HERE, { key }))
  }

  async signOut() {
    await call('DELETE', HERE)
    this.#become(null)
  }

  /** Whether the key has one of these permissions. */
  can(...permissions) {
    return permissions.some((each) => this.who?.permissions.includes(each))
  }

  /** Of those who administer the service; everybody else has the one project of their key. */
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
    this.project = who && (who.project ?? this.#remembered())
    this.dispatchEvent(new Event('change'))
  }

  #remembered() {
    try {
      return JSON.parse(sessionStorage.getItem(CHOSEN))
    } catch {
      return null
    }
  }
}

export const me = new Me()
