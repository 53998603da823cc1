// A real browser on a fresh profile, a page in it, pictures of it below HOLDFAST_BROWSER_SHOTS.
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { chromium } from 'playwright-core'

export const SHOTS = process.env.HOLDFAST_BROWSER_SHOTS ?? 'shots'
// Nothing but the page that is looked at: no sandbox under root, no call of the browser's own.
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A fresh browser; whoever starts it closes it. It sees this machine's server, an OpenID provider if there is one, and nothing else (apart.sh). */
export async function launch() {
  const directory = await mkdtemp(join(tmpdir(), 'relay-'))
  const relays = []
  for (const address of [process.env.HOLDFAST_API, process.env.HOLDFAST_MANAGEMENT, process.env.HOLDFAST_PROVIDER].filter(Boolean)) {
    const { port } = new URL(address)
    const relay = createServer((inside) => {
      const outside = connect(Number(port), '127.0.0.1').unref()
      inside.unref()
      // Whoever has left is no longer written to; what the server said last still arrives.
      inside.on('close', () => outside.destroy())
      for (const [one, other] of [[inside, outside], [outside, inside]]) {
        one.pipe(other)
        one.on('error', () => other.destroy())
      }
    })
    // What is still open holds nobody up.
    relay.unref().listen(join(directory, port))
    await once(relay, 'listening')
    relays.push(relay)
  }
  const browser = await chromium.launch({
    executablePath: join(import.meta.dirname, 'apart.sh'),
    headless: true,
    args: ARGS,
    env: { ...process.env, HOLDFAST_RELAY: directory },
  })
  browser.on('disconnected', () => {
    relays.forEach((relay) => relay.close())
    rm(directory, { recursive: true, force: true })
  })
  return browser
}

/**
 * A test with a page of its own. What the page writes into its console as an error, or throws, fails the test, unless
 * `expected` (patterns) names it. A picture is taken at the end, also of what failed.
 */
export function browserTest(title, { name, expected = [], ...options }, body) {
  test(title, async () => {
    const browser = await launch()
    const errors = []
    const note = (text) => expected.some((pattern) => pattern.test(text)) || errors.push(text)
    try {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
      const page = await context.newPage()
      page.setDefaultTimeout(30_000)
      page.on('console', (message) => message.type() === 'error' && note(message.text()))
      page.on('pageerror', (error) => note(String(error)))
      const shot = async (what) => {
        await mkdir(SHOTS, { recursive: true })
        await page.screenshot({ path: join(SHOTS, `${name}-${what}.png`) })
      }
      try {
        await body(page, shot)
      } catch (error) {
        await shot('failed')
        throw error
      }
    } finally {
      await browser.close()
    }
    if (errors.length) {
      throw new Error(`The page's console has errors:\n${errors.join('\n')}`)
    }
  })
}
