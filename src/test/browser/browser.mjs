// A real browser on a fresh profile, a page in it, pictures of it below HOLDFAST_BROWSER_SHOTS.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { quiet } from './quiet.mjs'

export const SHOTS = process.env.HOLDFAST_BROWSER_SHOTS ?? 'shots'
const CHROMIUM = process.env.HOLDFAST_CHROMIUM ?? '/usr/bin/chromium'
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

/** Where the pages are. */
const PORTS = [process.env.HOLDFAST_API, process.env.HOLDFAST_MANAGEMENT].filter(Boolean).map((address) => new URL(address).port)

/** A fresh browser; whoever starts it closes it. */
export const launch = () => chromium.launch({ executablePath: quiet(CHROMIUM, PORTS), headless: true, args: ARGS })

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
