// Tests of the console's pages: one browser for a file, a fresh profile for each test. What the page writes into its console as
// an error, throws, or reports as a violation of its policy fails the test. Pictures of every state, in both themes and two
// widths, are taken with HOLDFAST_BROWSER_PICTURES; accessibility is checked in both themes always.
import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { launch, SHOTS } from './browser.mjs'

export const API = process.env.HOLDFAST_API
export const given = JSON.parse(process.env.HOLDFAST_CONSOLE ?? '{}')

const PICTURES = process.env.HOLDFAST_BROWSER_PICTURES
const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WIDE = { width: 1440, height: 900 }
const WIDTHS = { wide: WIDE, narrow: { width: 400, height: 860 } }
const THEMES = ['light', 'dark']
const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
// All that another theme changes.
const COLOURS = ['color-contrast', 'link-in-text-block']

let browser
after(() => browser?.close())

/**
 * A test with a page of its own, signed in with `key` if there is one. `expected` (patterns) names errors that it provokes.
 * The body gets the page, `look(name)`, which checks and pictures what is to be seen, and `another(key)`, the page of somebody
 * else in a browser of their own.
 */
export function consoleTest(title, { key, expected = [], ...options }, body) {
  test(title, async (t) => {
    browser ??= await launch()
    const errors = []
    const note = (text) => expected.some((pattern) => pattern.test(text)) || errors.push(text)
    const contexts = []
    const enter = async (who) => {
      const context = await browser.newContext({
        viewport: WIDE,
        baseURL: API,
        timezoneId: 'Europe/Vienna',
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
      })
      contexts.push(context)
      watch(context, note)
      if (who) {
        await signIn(context, who)
      }
      return context
    }
    const another = async (who) => (await enter(who)).newPage()
    try {
      const context = await enter(key)
      const page = await context.newPage()
      try {
        await body(page, { context, look: (name) => look(page, name), t, another })
      } catch (error) {
        await shot(page, `failed-${title.replaceAll(/\W+/g, '-').slice(0, 60)}`)
        throw error
      }
    } finally {
      await Promise.all(contexts.map((context) => context.close()))
    }
    assert.deepEqual(errors, [], 'the page has errors')
  })
}

/** Notes what a page says that something is wrong. */
function watch(context, note) {
  context.on('page', (page) => {
    page.setDefaultTimeout(30_000)
    page.on('console', (message) => message.type() === 'error' && note(`${message.text()} (${message.location().url})`))
    page.on('pageerror', (error) => note(String(error)))
    page.on('request', (request) => request.url().includes('/console/reports') && note(`CSP: ${request.postData()}`))
  })
}

/** As the sign-in page does it, without the page. What pages still load ends first: it belongs to whoever was signed in before. */
export async function signIn(context, key) {
  await Promise.all(context.pages().map((page) => page.goto('about:blank')))
  const answer = await context.request.post('/console/sign-in', { data: { key }, headers: { Origin: API } })
  assert.equal(answer.status(), 200, await answer.text())
}

/** The native API with a key, past the browser. */
export async function api(key, method, path, body) {
  const answer = await fetch(`${API}/api/v1${path}`, {
    method,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, body: text && JSON.parse(text) }
}

/** What is to be seen now, in both themes: accessible always, as pictures if asked for. */
async function look(page, name) {
  const before = page.viewportSize()
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await accessible(page, `${name} in ${colorScheme}`, colorScheme === THEMES[0] ? EVERYTHING : COLOURS)
    for (const [width, size] of Object.entries(PICTURES ? WIDTHS : {})) {
      await page.setViewportSize(size)
      await shot(page, `${name}-${colorScheme}-${width}`)
    }
    await page.setViewportSize(before)
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}

async function accessible(page, what, runOnly) {
  // Not a script of the page, so its policy has no say in it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(`${AXE};0`)
  const found = await page.evaluate(async (runOnly) => {
    const { violations } = await globalThis.axe.run(document, { runOnly, resultTypes: ['violations'] })
    return violations
      .filter((each) => ['serious', 'critical'].includes(each.impact))
      .map((each) => `${each.id}: ${each.nodes.slice(0, 4).map((node) => `${node.target} ${node.any.map((one) => one.message).join('; ')}`).join(' | ')}`)
  }, runOnly)
  assert.deepEqual(found, [], what)
}

async function shot(page, name) {
  await mkdir(SHOTS, { recursive: true })
  await page.screenshot({ path: join(SHOTS, `${name}.png`), animations: 'disabled' })
}

/** Waits until `value` gives what is wanted. */
export async function until(value, wanted, what, patience = 10_000) {
  const end = Date.now() + patience
  let last
  do {
    last = await value()
    if (typeof wanted === 'function' ? wanted(last) : JSON.stringify(last) === JSON.stringify(wanted)) {
      return last
    }
    await new Promise((done) => setTimeout(done, 50))
  } while (Date.now() < end)
  assert.deepEqual(last, wanted, what)
  return last
}
