// The Sandboxes page against a real server with real sandboxes, and people who may more and less.
import assert from 'node:assert/strict'
import { api, consoleTest, given, signIn, until } from './console.mjs'

const { real } = given
const HOME = '/console/sandboxes'
const path = `/projects/${real.id}`

const rows = (page) => page.getByRole('table', { name: 'Sandboxes' }).locator('tbody tr')
const shown = (page) => rows(page).evaluateAll((all) => all.map((row) => row.dataset.id))
const row = (page, id) => page.locator(`tr[data-id="${id}"]`)

async function open(page, address = HOME) {
  await page.goto(address)
  await page.getByRole('heading', { name: 'Sandboxes', level: 1 }).waitFor()
  await page.locator('[aria-busy=false], .state h2').first().waitFor()
}

async function menu(page, id, item) {
  await row(page, id).getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

consoleTest('R7 R61 R62 what runs, found by search, state and order, in the address', { key: real.manager }, async (page, { look }) => {
  await open(page)
  await until(() => shown(page), [real.named, real.plain])
  const entry = row(page, real.named)
  await entry.getByText('Nightly import').waitFor()
  await entry.getByText('Running').waitFor()
  await entry.getByText('base').waitFor()
  await entry.locator('.end').getByText(/\d+ min/).waitFor()
  await entry.getByText('then ends').waitFor()
  assert.equal(await entry.getByRole('link', { name: 'Open Nightly import in Workbench' }).getAttribute('href'), `/console/workbench?sandbox=${real.named}`)
  await entry.getByText(/MiB/).waitFor({ timeout: 30_000 })
  await entry.getByText(/^\d+ %/).waitFor()

  await page.getByRole('columnheader', { name: 'Time left' }).getByRole('button').click()
  await until(() => shown(page), [real.plain, real.named])
  assert.equal(await page.getByLabel('Sort', { exact: true }).inputValue(), 'end-asc')
  assert.equal(await page.getByRole('columnheader', { name: 'Time left' }).getAttribute('aria-sort'), 'ascending')
  await page.getByLabel('Search sandboxes').fill('nightly')
  await until(() => shown(page), [real.named])
  await page.getByLabel('State', { exact: true }).selectOption('paused')
  await page.getByRole('heading', { name: 'No sandboxes match' }).waitFor()
  await page.getByText(`project ${real.name}`).first().waitFor()
  await look('sandboxes-no-match')
  await page.goBack()
  await until(() => shown(page), [real.named])
  await page.goForward()
  await page.getByRole('button', { name: 'Clear search and filter' }).click()
  await until(() => shown(page), [real.plain, real.named])
  assert.equal(new URL(page.url()).search, '?sort=end-asc')
})

consoleTest('R1 R11 R94 R100 R102 R165 captured, paused, resumed, extended and killed, live', { key: real.manager, expected: [/status of 400/] }, async (page, { look }) => {
  await open(page)
  await page.locator('.live[data-state=connected]').waitFor()
  const entry = row(page, real.named)
  const name = `kept-${Date.now()}`
  await menu(page, real.named, 'Capture…')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name (optional)').fill('No Name At All!')
  await look('sandbox-capture')
  await dialog.getByRole('button', { name: 'Capture sandbox' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Name (optional)').fill(name)
  await dialog.getByRole('button', { name: 'Capture sandbox' }).click()
  await page.getByText('Nightly import is being captured').waitFor()
  const saved = await until(
    async () => (await api(real.manager, 'GET', `${path}/snapshots?name=${name}`)).body.snapshots[0],
    (snapshot) => snapshot?.status === 'saved',
    'it is saved',
    60_000,
  )
  await entry.getByText('Running').waitFor()

  // What a program makes from it turns up by itself, and says from what it was made.
  const { body: restored } = await api(real.manager, 'POST', `${path}/snapshots/${saved.id}/restore`, {})
  const made = restored.sandbox.id
  await row(page, made).getByRole('link', { name: `${real.slug}/${name}:default` }).waitFor({ timeout: 30_000 })
  await row(page, made).getByText('Running').waitFor({ timeout: 30_000 })
  await menu(page, made, 'Extend…')
  await dialog.getByRole('radio', { name: /^4 h/ }).check()
  await look('sandbox-extend')
  await dialog.getByRole('button', { name: 'Extend' }).click()
  await row(page, made).getByText('4 h').waitFor()

  await menu(page, made, 'Pause')
  await row(page, made).getByText('Paused').waitFor({ timeout: 60_000 })
  await row(page, made).getByText('stands still').waitFor()
  await look('sandboxes')
  const { body: paused } = await api(real.manager, 'GET', `${path}/sandboxes/${made}`)
  assert.equal(paused.state, 'paused')
  await row(page, made).getByRole('button', { name: /^More for/ }).click()
  assert.equal(await page.getByRole('menuitem', { name: /Capture|Pause|Extend/ }).count(), 0, 'only what can be done')
  await look('sandbox-menu')
  await page.keyboard.press('Escape')
  await row(page, made).getByRole('button', { name: /^Resume/ }).click()
  await row(page, made).getByText('Running').waitFor({ timeout: 60_000 })

  await menu(page, made, 'Copy Python line')
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `sandbox = Sandbox.connect("${made}")`)
  await menu(page, made, 'Kill sandbox…')
  await dialog.getByText('is lost').waitFor()
  await look('sandbox-kill')
  await page.keyboard.press('Escape')
  assert.ok(await row(page, made).count(), 'Escape ends nothing')
  await menu(page, made, 'Kill sandbox…')
  await dialog.getByRole('button', { name: 'Kill sandbox' }).click()
  await until(() => row(page, made).count(), 0)
})

consoleTest('R9 R10 who uses sandboxes has no control that ends those of others', { key: real.user }, async (page, { look }) => {
  await open(page)
  assert.equal(await page.locator('.live').count(), 0, 'no events for those who may not read them')
  await row(page, real.plain).getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Extend…' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: /Kill/ }).count(), 0)
  await page.keyboard.press('Escape')
  await look('sandboxes-user')
  const { status, body } = await api(real.user, 'DELETE', `${path}/sandboxes/${real.plain}`)
  assert.deepEqual([status, body.reason], [403, 'permission_missing'])
})

consoleTest('R8 nothing runs, what cannot be read, and who may not', { key: real.manager, expected: [/status of 503/] }, async (page, { context, look }) => {
  let answer = { status: 503, contentType: 'application/problem+json', body: JSON.stringify({ reason: 'temporarily_unavailable', detail: 'The sandboxes cannot be read now. Try again in a moment.', requestId: '7d1f' }) }
  await page.route('**/sandboxes?*', (route) => route.fulfill(answer))
  await page.goto(HOME)
  await page.getByRole('alert').getByText('The sandboxes cannot be read now').waitFor()
  await look('sandboxes-unreadable')
  answer = { json: { sandboxes: [], page: 1, total: 0 } }
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Nothing runs' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Start a session' }).getAttribute('href'), '/console/workbench')
  await look('sandboxes-none')
  await page.unroute('**/sandboxes?*')

  await signIn(context, real.reader)
  await page.goto(HOME)
  await page.getByRole('heading', { name: 'You have no access to this page' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Sandboxes', exact: true }).count(), 0)
})
