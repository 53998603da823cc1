// Calls to the server: the session's cookie goes by itself, the session's token with everything that changes something.
// Whatever is refused is thrown as a Problem.

/** A refusal in the server's words; `reason` is stable, `body` has everything that was said. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? body.message ?? `The server answered ${status}.`)
    this.name = 'Problem'
    this.status = status
    this.reason = body.reason ?? 'unknown'
    this.detail = this.message
    this.requestId = body.requestId
    this.body = body
  }
}

const UNREACHABLE = {
  reason: 'unreachable',
  detail: 'The server cannot be reached. Check your connection; nothing was changed by this attempt as far as is known here.',
}

const BROKEN_OFF = {
  reason: 'broken_off',
  detail: 'It broke off: the server cannot be reached, took no more of it, or the file cannot be read any more. Nothing of it is there.',
}

/** Tells `signedout` when the server does not know this session any more. */
export const news = new EventTarget()

let token = null

/** The token of the session, which shows that a request comes from this page. */
export function authorise(fresh) {
  token = fresh
}

/**
 * A call; gives the read answer (JSON as it is, other text as text, nothing for an empty one), or with `raw` the Response.
 * With `keepalive` it goes on when the page is left. `body` is sent as JSON unless it is a Blob, a FormData or a text with a content type of its own.
 */
export async function call(method, path, { body, headers = {}, signal, keepalive = false, raw = false } = {}) {
  const safe = method === 'GET' || method === 'HEAD'
  const plain = body === undefined || body instanceof Blob || body instanceof FormData || typeof body === 'string'
  let answer
  try {
    answer = await fetch(path, {
      method,
      signal,
      keepalive,
      credentials: 'same-origin',
      redirect: 'error',
      headers: {
        Accept: 'application/json',
        ...(plain ? {} : { 'Content-Type': 'application/json' }),
        ...(safe || !token ? {} : { 'X-Holdfast-Csrf': token }),
        ...headers,
      },
      body: plain ? body : JSON.stringify(body),
    })
  } catch (error) {
    throw error.name === 'AbortError' ? error : new Problem(0, UNREACHABLE)
  }
  if (!answer.ok) {
    throw refused(answer.status, await read(answer).catch(() => null))
  }
  return raw ? answer : read(answer)
}

function refused(status, body) {
  const problem = new Problem(status, body && typeof body === 'object' ? body : {})
  if (status === 401) {
    news.dispatchEvent(new Event('signedout'))
  }
  return problem
}

/** Sends a file, and tells how much of it has gone; only this call of the browser knows that. */
export function send(method, path, file, { signal, progress = () => {} } = {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, path)
    const headers = { Accept: 'application/json', 'Content-Type': 'application/octet-stream', ...(token ? { 'X-Holdfast-Csrf': token } : {}) }
    Object.entries(headers).forEach(([name, value]) => request.setRequestHeader(name, value))
    request.upload.onprogress = (event) => progress(event.loaded)
    request.onload = () => {
      try {
        const body = understood(request.responseText, request.getResponseHeader('Content-Type'))
        if (request.status < 200 || request.status > 299) {
          throw refused(request.status, body)
        }
        resolve(body)
      } catch (problem) {
        reject(problem)
      }
    }
    request.onerror = () => reject(new Problem(0, BROKEN_OFF))
    request.onabort = () => reject(new DOMException('It was cancelled.', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

const read = async (answer) => (answer.status === 204 ? undefined : understood(await answer.text(), answer.headers.get('Content-Type')))

const understood = (text, type) => (/[/+]json\b/.test(type ?? '') && text ? JSON.parse(text) : text)

export const get = (path, options) => call('GET', path, options)
export const post = (path, body, options) => call('POST', path, { ...options, body })
export const put = (path, body, options) => call('PUT', path, { ...options, body })
export const patch = (path, body, options) => call('PATCH', path, { ...options, body })
export const del = (path, options) => call('DELETE', path, options)

/** A query string of what is set; empty values are left out. */
export function query(values) {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}
