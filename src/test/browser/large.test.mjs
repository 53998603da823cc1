// A project with more than ten thousand snapshots; and how pages load: small, and without a move that nobody asked for.
import assert from 'node:assert/strict'
import { api, API, consoleTest, given, until } from './console.mjs'

const { team } = given
const HOME = '/console/snapshots'
const NUMBERED = 10_000
const PATIENCE = 3_000
const MOST_BYTES = 300 * 1024
// Of what the browser reports; from 0.1 on people are said to be disturbed.
const MOST_SHIFT = 0.01
const LONGEST_MOTION = 0.12

const rows = (page) => page.getByRole('table', { name: 'Snapshots' }).locator('tbody tr')
const shown = (page) => rows(page).evaluateAll((all) => all.map((row) => row.dataset.id))
const pages = (page) => page.getByRole('navigation', { name: 'Pages' })

async function listed(query) {
  const { body } = await api(team.manager, 'GET', `/projects/${team.id}/snapshots?${query}`)
  return body.snapshots.map((each) => each.id)
}

/** Does it, and waits for what is to be seen of it, not for long. */
async function quickly(what, act) {
  const begun = performance.now()
  await act()
  const took = performance.now() - begun
  assert.ok(took < PATIENCE, `${what} took ${Math.round(took)} ms`)
}

/** All that a page loads by itself has come, and it is as it stays. */
async function settled(page) {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await page.locator('[aria-busy=false], .state h2, table, .facts, .workbench, .prose').first().waitFor()
  await page.waitForTimeout(800)
}

consoleTest('R14 R21 R27 R28 R29 ten thousand snapshots are listed, found, sorted and paged', { key: team.manager }, async (page, { look }) => {
  await page.goto(HOME)
  await quickly('the first page', () => until(() => rows(page).count(), 25))
  await pages(page).getByText(/1–25 of more than 10,000/).waitFor()
  await look('snapshots-many')

  const search = page.getByLabel('Search snapshots')
  await search.fill('run-9870')
  await quickly('a search', () => until(() => rows(page).count(), 1))
  await rows(page).getByText('run-9870:v1').waitFor()
  await search.fill('')
  await until(() => rows(page).count(), 25)
  const largest = await listed('status=all&sort=size&direction=desc&limit=25')
  await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click()
  await quickly('another order', () => until(() => shown(page), largest))

  // As far as there are numbers, and behind that.
  await page.goto(`${HOME}?page=${NUMBERED / 25}`)
  const last = await listed(`status=all&limit=25&page=${NUMBERED / 25}`)
  await quickly('the last page with a number', () => until(() => shown(page), last))
  await page.getByRole('button', { name: 'Next' }).click()
  await pages(page).getByText('Behind the first 10,000').waitFor()
  const behind = await until(() => shown(page), (ids) => ids.length === 25 && !ids.includes(last[0]))
  await page.getByRole('button', { name: 'Next' }).click()
  const end = await until(() => shown(page), (ids) => ids.length === team.rows - NUMBERED - 25 && !ids.includes(behind[0]))
  assert.equal(new Set([...last, ...behind, ...end]).size, last.length + behind.length + end.length, 'none twice')
  assert.ok(await page.getByRole('button', { name: 'Next' }).isDisabled())
  await page.getByRole('button', { name: 'Previous' }).click()
  await until(() => shown(page), behind)
})

/** Everything that comes over the wire before anybody does anything, as the browser counted it. */
consoleTest('the first load is under 300 KB without the editor', { key: team.manager }, async (page) => {
  await page.addInitScript(() => performance.setResourceTimingBufferSize(1_000))
  await page.goto(HOME)
  await until(() => rows(page).count(), 25)
  await settled(page)
  const loaded = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(({ name, transferSize }) => ({ name, transferSize })),
  )
  const files = loaded.filter((each) => each.name.startsWith(`${API}/console/`))
  assert.ok(files.length > 30, `${files.length} files`)
  const came = new Set(files.filter((each) => each.transferSize > 0).map((each) => each.name))
  assert.deepEqual(files.filter((each) => !came.has(each.name)), [], 'nothing was there before')
  assert.deepEqual(loaded.filter((each) => /codemirror|lezer/.test(each.name)), [], 'nothing of the editor')
  const bytes = loaded.reduce((sum, each) => sum + each.transferSize, 0)
  assert.ok(bytes > 20_000 && bytes < MOST_BYTES, `${bytes} bytes in ${loaded.length} answers`)
})

consoleTest('nothing moves while a page is loaded', { key: team.manager }, async (page, { context }) => {
  await context.addInitScript(() => {
    globalThis.moves = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries().filter((each) => !each.hadRecentInput)) {
        globalThis.moves.push({ value: entry.value, of: entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? node?.nodeName) })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const found = {}
  for (const address of ['snapshots', 'snapshots?view=cards', `snapshots/${team.snapshot}`, 'workbench', 'sandboxes', 'storage', 'keys', 'limits', 'audit', 'webhooks', 'help/load-a-saved-session']) {
    await page.goto(`/console/${address}`)
    await settled(page)
    const moves = await page.evaluate(() => globalThis.moves)
    if (moves.reduce((sum, each) => sum + each.value, 0) > MOST_SHIFT) {
      found[address] = moves
    }
  }
  assert.deepEqual(found, {}, JSON.stringify(found, null, 1))
})

/** Uses what could move; gives what did. */
async function motions(page) {
  await page.addInitScript(() => {
    globalThis.motions = []
    const note = (event, name, durations) => globalThis.motions.push({ name, seconds: Math.max(...durations.split(',').map(parseFloat)) })
    document.addEventListener('transitionrun', (event) => note(event, 'transition', getComputedStyle(event.target).transitionDuration), true)
    document.addEventListener('animationstart', (event) => note(event, event.animationName, getComputedStyle(event.target).animationDuration), true)
  })
  await page.goto(HOME)
  await until(() => rows(page).count(), 25)
  await page.getByRole('button', { name: 'Next' }).hover()
  await page.getByRole('button', { name: /^More for/ }).first().click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Project storage/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).first().hover()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Copy ID/ }).first().click()
  await page.getByText('ID copied').waitFor()
  await rows(page).first().getByRole('link').first().click()
  await page.getByRole('complementary', { name: 'Snapshot' }).getByRole('heading', { name: 'Facts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Workbench', exact: true }).click()
  await page.getByRole('textbox', { name: 'Code' }).click()
  await page.waitForTimeout(300)
  const still = await page.evaluate(() => [document, document.querySelector('hf-editor').shadowRoot].flatMap((root) => root.getAnimations()).length)
  return { seen: await page.evaluate(() => globalThis.motions), still }
}

consoleTest('motion is short', { key: team.manager }, async (page) => {
  const { seen } = await motions(page)
  assert.ok(seen.some((each) => each.name === 'transition'), 'something is seen moving')
  assert.deepEqual(seen.filter((each) => each.name === 'transition' && each.seconds > LONGEST_MOTION), [])
  assert.deepEqual(seen.filter((each) => !['transition', 'turn'].includes(each.name)), [], 'only what is under way turns')
})

consoleTest('with reduced motion there is none', { key: team.manager, reducedMotion: 'reduce' }, async (page) => {
  assert.deepEqual(await motions(page), { seen: [], still: 0 })
})
