// Addresses: /console/<page>[/<item>][?query]. Every state of a page that one would want to come back to stands in its address.
const ROOT = '/console/'

/** Dispatches `change` when the address has changed, whoever did it. */
class Router extends EventTarget {
  constructor() {
    super()
    addEventListener('popstate', () => this.#changed())
    document.addEventListener('click', (event) => this.#onClick(event))
  }

  /** { page, item, query }; `page` is empty at the root. */
  get route() {
    const [page, ...rest] = location.pathname.slice(ROOT.length).split('/')
    return { page, item: rest.length ? decodeURIComponent(rest.join('/')) : null, query: new URLSearchParams(location.search) }
  }

  go(address, { replace = false } = {}) {
    if (address !== location.pathname + location.search) {
      history[replace ? 'replaceState' : 'pushState'](null, '', address)
      this.#changed()
    }
  }

  /** The same page with some of its query changed; empty values are taken out. */
  change(values, { replace = false } = {}) {
    this.go(this.with(values), { replace })
  }

  /** The address of that. */
  with(values) {
    const query = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined || value === null || value === '') {
        query.delete(name)
      } else {
        query.set(name, String(value))
      }
    }
    const text = query.toString()
    return location.pathname + (text && `?${text}`)
  }

  #changed() {
    this.dispatchEvent(new Event('change'))
  }

  /** Links within the console lead there without loading it anew; those with a modifier or a target are the browser's. */
  #onClick(event) {
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement)
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download') || link.hash) {
      return
    }
    if (link.origin === location.origin && link.pathname.startsWith(ROOT)) {
      event.preventDefault()
      this.go(link.pathname + link.search)
    }
  }
}

export const router = new Router()
