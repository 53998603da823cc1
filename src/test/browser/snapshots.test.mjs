// The Snapshots page against a real server: a project with many snapshots, one with real ones, and people who may more and less.
import assert from 'node:assert/strict'
import { api, API, consoleTest, given, signIn, until } from './console.mjs'

const { many, real, admin } = given
const HOME = '/console/snapshots'

const table = (page) => page.getByRole('table', { name: 'Snapshots' })
const rows = (page) => table(page).locator('tbody tr')
const shown = (page) => rows(page).evaluateAll((all) => all.map((row) => row.dataset.id))
const total = (page) => page.getByRole('navigation', { name: 'Pages' }).locator('span').first().innerText()
const chosen = (page, label) => page.getByLabel(label, { exact: true }).inputValue()

/** What the API lists for the same question. */
async function listed(query) {
  const { body } = await api(many.manager, 'GET', `/projects/${many.id}/snapshots?${query}`)
  return body.snapshots.map((each) => each.id)
}

async function open(page, address = HOME) {
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('[aria-busy=false], .state h2').first().waitFor()
}

const follow = (page, query, what) => until(() => shown(page), query, what)

consoleTest(
  'R7 R8 R13 sign in with a key, find AI Runtime > Agent Sandboxes > Snapshots, and sign out',
  { expected: [/status of 401/] },
  async (page, { context, look }) => {
    await page.goto('/console/')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await look('sign-in')
    const key = page.getByLabel('API key')
    await key.fill(`e2b_${'9'.repeat(40)}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('Invalid API key').waitFor()
    assert.equal(await key.inputValue(), '', 'what was typed is gone')
    await look('sign-in-refused')
    await key.fill(many.manager)
    await key.press('Enter')

    const group = page.getByRole('list', { name: 'AI Runtime Agent Sandboxes' })
    await group.getByRole('link', { name: 'Snapshots' }).waitFor()
    assert.equal(await group.getByRole('link', { name: 'Snapshots' }).getAttribute('aria-current'), 'page')
    await page.getByRole('heading', { name: 'Snapshots', level: 1 }).waitFor()
    assert.equal(new URL(page.url()).pathname, HOME)

    const cookies = await context.cookies()
    assert.deepEqual(cookies.map((each) => [each.httpOnly, each.sameSite]), [[true, 'Strict']])
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
    assert.ok(!kept.includes(many.manager) && !kept.includes(cookies[0].value), kept)

    await page.getByRole('button', { name: `Project ${many.name}` }).click()
    await page.getByRole('menu', { name: 'Project' }).getByText(many.slug).waitFor()
    await look('switcher')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal((await (await context.request.get('/console/sign-in')).json()).signedIn, false)
  },
)

consoleTest('R14 R15 R16 R17 R18 R19 R28 R61 R62 search and filter on the server, in the address', { key: many.manager }, async (page, { look }) => {
  await open(page)
  const search = page.getByLabel('Search snapshots')

  // A part of an ID that no other page of the list shows, and the same of an upload ID.
  const [last] = await listed('status=saved&sort=created&direction=asc&limit=1')
  assert.ok(!(await shown(page)).includes(last), 'it is on another page')
  await search.fill(last.slice(4, 17).toUpperCase())
  await follow(page, [last], 'a part of the ID')
  assert.equal(new URL(page.url()).searchParams.get('search'), last.slice(4, 17).toUpperCase())
  const { body } = await api(many.manager, 'GET', `/projects/${many.id}/snapshots/${last}`)
  await search.fill(body.uploadId.slice(9, 23))
  await follow(page, [last], 'a part of the upload ID')
  await search.fill('ab')
  await page.getByText('3 characters or more').waitFor()

  await search.fill('')
  for (const [label, word] of [['Saved', 'saved'], ['Uploads', 'uploads'], ['Awaiting cleanup', 'awaitingCleanup'], ['All', 'all']]) {
    await page.getByLabel('Status', { exact: true }).selectOption({ label })
    await follow(page, await listed(`status=${word}&limit=25`), label)
  }

  await page.getByLabel('Status', { exact: true }).selectOption({ label: 'Uploads' })
  await search.fill('nowhere-at-all')
  await page.getByRole('heading', { name: 'No snapshots match' }).waitFor()
  await page.getByText(`project ${many.name}`).first().waitFor()
  await look('snapshots-no-match')
  await page.getByRole('button', { name: 'Clear search and filter' }).click()
  await rows(page).first().waitFor()
  assert.equal(new URL(page.url()).search, '')
  assert.equal(await search.inputValue(), '')

  // Back, and a link, restore what was to be seen.
  await page.goBack()
  await page.getByRole('heading', { name: 'No snapshots match' }).waitFor()
  assert.equal(await search.inputValue(), 'nowhere-at-all')
  await open(page, `${HOME}?status=saved&sort=size-asc&size=50&page=2&view=cards`)
  assert.deepEqual([await chosen(page, 'Status'), await chosen(page, 'Sort'), await chosen(page, 'Rows per page')], ['saved', 'size-asc', '50'])
  await until(() => page.getByRole('list', { name: 'Snapshots' }).getByRole('listitem').evaluateAll((all) => all.map((each) => each.dataset.id)), await listed('status=saved&sort=size&direction=asc&limit=50&page=2'))
})

consoleTest('R20 R21 R22 R23 R24 R29 sorting by heading and by control is one', { key: many.manager }, async (page) => {
  await open(page)
  const heading = (name) => table(page).getByRole('columnheader', { name })
  const check = async (sort, name, aria) => {
    const [key, direction] = sort.split('-')
    await follow(page, await listed(`status=all&sort=${key}&direction=${direction}&limit=25`), sort)
    assert.equal(await chosen(page, 'Sort'), sort)
    assert.equal(await heading(name).getAttribute('aria-sort'), aria)
    assert.equal(await table(page).locator('[aria-sort]').count(), 1)
  }
  await check('created-desc', 'Created', 'descending')
  await heading('Created').getByRole('button').click()
  await check('created-asc', 'Created', 'ascending')
  await heading('Size').getByRole('button').click()
  await check('size-desc', 'Size', 'descending')
  await heading('Size').getByRole('button').click()
  await check('size-asc', 'Size', 'ascending')
  await page.getByLabel('Sort', { exact: true }).selectOption('expiry-asc')
  await check('expiry-asc', 'Expires', 'ascending')
  await page.getByLabel('Sort', { exact: true }).selectOption('created-desc')
  await check('created-desc', 'Created', 'descending')
})

consoleTest('R25 R26 R30 R31 R32 R33 R34 R44 R45 R46 R64 R65 R72 R73 rows and cards show and offer the same', { key: many.manager }, async (page, { look }) => {
  const places = {
    saved: `${HOME}?search=${many.saved}`,
    upload: `${HOME}?search=${many.upload}`,
    pending: `${HOME}?search=${many.pending}`,
  }
  for (const view of ['list', 'cards']) {
    const entry = (id) => page.locator(`[data-id="${id}"]`)
    await open(page, `${places.saved}&view=${view}`)
    const saved = entry(many.saved)
    await saved.getByText('Saved').waitFor()
    await saved.getByText(/^\d+(\.\d+)? [KMG]iB$/).first().waitFor()
    const times = saved.locator('time')
    assert.equal(await times.count(), 2, 'created and expires')
    // The exact moment stands there for screen readers, and is seen on focus.
    await times.first().focus()
    assert.match(await times.first().locator('.tip').innerText(), /\d{4}, \d\d:\d\d:\d\d/)
    await until(() => times.first().locator('.tip').evaluate((tip) => getComputedStyle(tip).opacity), '1')
    const link = saved.getByRole('link', { name: 'Open in Workbench' })
    assert.equal(await link.getAttribute('href'), `/console/workbench?load=${many.saved}`)
    await saved.getByRole('button', { name: /^More for/ }).click()
    await page.getByRole('menuitem', { name: 'Delete snapshot' }).waitFor()
    if (view === 'list') {
      await look('snapshots-menu')
    }
    await page.keyboard.press('Escape')

    for (const [place, id, text] of [['upload', many.upload, /Sealing|Uploading|Waiting|Freezing/], ['pending', many.pending, 'Cleanup pending']]) {
      await open(page, `${places[place]}&view=${view}`)
      await entry(id).getByText(text).waitFor()
      await entry(id).getByRole('button', { name: /^Delete/ }).waitFor()
      assert.equal(await entry(id).getByRole('link', { name: 'Open in Workbench' }).count(), 0)
      assert.equal(await entry(id).getByRole('button', { name: /^More/ }).count(), 0)
    }
  }
  await open(page)
  await look('snapshots-list')
  await page.getByRole('button', { name: 'Cards' }).click()
  await page.getByRole('list', { name: 'Snapshots' }).waitFor()
  await look('snapshots-cards')
  const next = page.getByRole('navigation', { name: 'Next steps' })
  await next.getByRole('link', { name: 'Run code in the Workbench' }).waitFor()
  await next.getByRole('link', { name: 'Share files between sessions' }).click()
  await page.getByRole('heading', { name: 'Share files between sessions' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Load a saved session' }).click()
  await page.getByRole('heading', { name: 'Load a saved session' }).waitFor()
  await look('help')
})

consoleTest('R27 R47 R48 R49 R50 R51 R54 R55 R66 page, select, delete many, and retry only what failed', { key: many.manager, expected: [/status of 409/] }, async (page, { look }) => {
  await open(page)
  assert.match(await total(page), new RegExp(`^1–25 of ${many.count}$`))
  assert.ok(await page.getByRole('button', { name: 'Previous' }).isDisabled())
  await page.getByRole('button', { name: 'Next' }).click()
  await follow(page, await listed('status=all&limit=25&page=2'), 'the second page')
  await page.getByRole('button', { name: 'Previous' }).click()
  await follow(page, await listed('status=all&limit=25&page=1'), 'the first page again')

  // Only what is saved, and only of this page.
  await page.getByLabel('Select all on this page').check()
  const { body } = await api(many.manager, 'GET', `/projects/${many.id}/snapshots?status=all&limit=25&page=1`)
  const saved = body.snapshots.filter((each) => each.status === 'saved').map((each) => each.id)
  assert.ok(saved.length < 25, 'others are on the page as well')
  const ticked = () => table(page).locator('tbody tr:has(input:checked)').evaluateAll((all) => all.map((row) => row.dataset.id))
  assert.deepEqual(await ticked(), saved)
  await look('snapshots-selected')
  await page.getByRole('button', { name: 'Next' }).click()
  await follow(page, await listed('status=all&limit=25&page=2'))
  assert.deepEqual(await ticked(), [], 'nothing of another page is ticked')

  // Three, of which one is pinned, one is in use.
  await open(page, `${HOME}?search=doomed&sort=name-asc`)
  const all = await until(() => shown(page), (ids) => ids.length === 3, 'three are found')
  await page.getByLabel('Select all on this page').check()
  const pin = await api(many.manager, 'PUT', `/projects/${many.id}/snapshots/${all[0]}/pin`, { reason: 'Baseline of the release' })
  assert.equal(pin.status, 200)
  await page.getByRole('button', { name: 'Delete selected' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 3 snapshots' })
  await dialog.getByText('3 have names').waitFor()
  await dialog.getByText('1 is pinned or held and stays').waitFor()
  await dialog.getByText(/3 snapshots, .* stored/).waitFor()
  await look('snapshots-delete')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await api(many.manager, 'GET', `/projects/${many.id}/snapshots/${all[1]}`)).body.status, 'saved', 'nothing before the review')
  await page.getByRole('button', { name: 'Delete selected' }).click()
  await dialog.getByRole('button', { name: 'Delete 3 snapshots' }).click()
  const result = page.getByRole('dialog', { name: 'What came of it' })
  await result.getByText('Pinned', { exact: false }).first().waitFor()
  await look('snapshots-result')
  await result.getByRole('button', { name: 'Close' }).click()

  // Each that failed says so and stays ticked; those that are deleted await their cleanup.
  const failed = page.locator(`[data-id="${all[0]}"]`)
  await failed.getByText(/Not deleted: .*pinned/).waitFor()
  await until(ticked, [all[0]])
  await page.getByText('1 snapshot could not be deleted').waitFor()
  for (const id of all.slice(1)) {
    const gone = await api(many.manager, 'GET', `/projects/${many.id}/snapshots/${id}`)
    assert.ok(gone.status === 404 || gone.body.status === 'awaitingCleanup', JSON.stringify(gone.body))
  }
  await look('snapshots-failed')
  await api(many.manager, 'DELETE', `/projects/${many.id}/snapshots/${all[0]}/pin`)
  const asked = page.waitForRequest((request) => request.url().endsWith('/snapshots/delete') && !request.postDataJSON().preview)
  await page.getByRole('button', { name: 'Retry failed' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete snapshot' }).click()
  assert.deepEqual((await asked).postDataJSON(), { ids: [all[0]] }, 'only what failed')
  await page.getByText('1 snapshot deleted').waitFor()
  await until(() => page.getByText('could not be deleted').count(), 0)
})

consoleTest('R10 who only reads sees and loads, and has no control that deletes', { key: many.reader, expected: [/status of 403/] }, async (page, { look }) => {
  for (const view of ['list', 'cards']) {
    await open(page, `${HOME}?view=${view}`)
    await page.locator('[data-id]').first().waitFor()
    assert.equal(await page.getByRole('button', { name: /Delete/ }).count(), 0)
    assert.equal(await page.getByRole('checkbox').count(), 0)
    await page.locator('[data-id]').getByRole('link', { name: 'Open in Workbench' }).first().waitFor()
    await page.getByRole('button', { name: /^More for/ }).first().click()
    await page.getByRole('menuitem', { name: 'Copy ID' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: /Delete|Pin|Extend|Note/ }).count(), 0)
    await page.keyboard.press('Escape')
  }
  await look('snapshots-reader')
  const answer = await page.evaluate(async ({ project, id, csrf }) => {
    const mine = csrf ?? (await (await fetch('/console/sign-in')).json()).csrf
    const answer = await fetch(`/api/v1/projects/${project}/snapshots/delete`, {
      method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Holdfast-Csrf': mine }, body: JSON.stringify({ ids: [id], preview: true }),
    }).catch(String)
    return answer.status
  }, { project: many.id, id: many.saved }).catch(String)
  assert.equal(answer, 403)
})

consoleTest('R58 R59 the summary shows what is used, and both limits where they differ', { key: many.manager }, async (page, { look }) => {
  await open(page)
  const summary = page.getByRole('button', { name: /Project storage/ })
  await summary.getByText(/8\d % used/).waitFor()
  assert.match(await summary.innerText(), /[KMG]iB\s+of .* snapshots/s)
  await summary.click()
  const dialog = page.getByRole('dialog', { name: 'Project storage' })
  await dialog.getByRole('rowheader', { name: 'Plan allowance' }).waitFor()
  await dialog.getByRole('row', { name: /Service limit .* enforced instead/ }).waitFor()
  await dialog.getByRole('rowheader', { name: 'Cleanup pending' }).waitFor()
  await look('storage-summary')
  assert.equal(await dialog.getByRole('link', { name: 'Open Storage' }).getAttribute('href'), '/console/storage')
  await page.keyboard.press('Escape')
  await until(() => summary.evaluate((button) => button === document.activeElement), true, 'the focus is where it was')
})

consoleTest('R1 everything about one: panel, own page, extend, pin, note and labels', { key: many.manager }, async (page, { context, look }) => {
  await open(page, `${HOME}?search=${many.saved}`)
  const link = page.locator(`[data-id="${many.saved}"]`).getByRole('link').first()
  await link.click()
  const panel = page.getByRole('complementary', { name: 'Snapshot' })
  await panel.getByText(`Sandbox.create("${many.saved}")`).waitFor()
  await panel.getByRole('heading', { name: 'Lineage' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('open'), many.saved)
  await look('snapshot-panel')
  await panel.getByRole('button', { name: 'Copy Python line' }).click()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `sandbox = Sandbox.create("${many.saved}")`)

  const menu = async (item) => {
    await panel.getByRole('button', { name: 'More for this snapshot' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await menu('Extend…')
  await page.getByRole('dialog').getByLabel(/30 days from now/).check()
  await look('snapshot-extend')
  await page.getByRole('dialog').getByRole('button', { name: 'Extend' }).click()
  await page.getByText(/is kept until/).waitFor()
  await menu('Pin…')
  await page.getByRole('dialog').getByLabel('Why it is kept').fill('The baseline')
  await look('snapshot-pin')
  await page.getByRole('dialog').getByRole('button', { name: 'Pin snapshot' }).click()
  await panel.getByText('The baseline').waitFor()
  await menu('Unpin')
  await until(() => panel.getByText('The baseline').count(), 0)
  await menu('Note and labels…')
  await page.getByRole('dialog').getByLabel('Note').fill('before the upgrade')
  await page.getByRole('dialog').getByLabel('Labels').fill('team=claims\nstage=review')
  await look('snapshot-note')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await panel.getByText('stage=review').waitFor()
  const { body } = await api(many.manager, 'GET', `/projects/${many.id}/snapshots/${many.saved}`)
  assert.deepEqual([body.note, body.labels, body.pin], ['before the upgrade', { team: 'claims', stage: 'review' }, undefined])
  assert.ok(new Date(body.expiresAt) > Date.now() + 29 * 86_400_000)

  await page.keyboard.press('Escape')
  await until(() => panel.count(), 0)
  await until(() => link.evaluate((each) => each === document.activeElement), true, 'the focus is back in the list')
  const [other] = await Promise.all([context.waitForEvent('page'), link.click({ modifiers: ['Control'] })])
  await other.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(new URL(other.url()).pathname, `${HOME}/${many.saved}`)
  await other.getByText(`Sandbox.create("${many.saved}")`).waitFor()
  await other.close()
})

consoleTest('R8 R63 none yet leads to the Workbench, and who may not read is told what is missing', { key: real.manager }, async (page, { context, look }) => {
  await page.route('**/snapshots?*', (route) => route.fulfill({ json: { snapshots: [], page: 1, total: 0, totalIsExact: true } }))
  await open(page)
  await page.getByRole('heading', { name: 'No snapshots yet' }).waitFor()
  await page.getByText(`Project ${real.name}`).first().waitFor()
  assert.equal(await page.getByRole('link', { name: 'Save a Workbench session' }).getAttribute('href'), '/console/workbench')
  await look('snapshots-none')
  await page.unroute('**/snapshots?*')

  await signIn(context, many.user)
  await page.goto(HOME)
  await page.getByText('snapshots:read').first().waitFor()
  await page.getByRole('heading', { name: 'You have no access to this page' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Snapshots', exact: true }).count(), 0)
  await look('snapshots-forbidden')

  await signIn(context, admin)
  await page.goto(HOME)
  await page.getByRole('button', { name: /^Project Choose/ }).click()
  const first = page.getByRole('menuitemradio').first()
  const called = (await first.innerText()).split(' (')[0].trim()
  await first.click()
  await page.getByRole('button', { name: `Project ${called}` }).waitFor()
  await page.getByRole('heading', { name: 'You have no access to this page' }).waitFor()
})

consoleTest('a list that cannot be read says why and is tried again', { key: many.manager, expected: [/status of 503/] }, async (page, { look }) => {
  let broken = true
  await page.route('**/snapshots?*', (route) =>
    broken
      ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify({ reason: 'temporarily_unavailable', detail: 'The catalogue cannot be read now. Try again in a moment.', requestId: '7d1f' }) })
      : route.continue(),
  )
  await page.goto(HOME)
  await page.getByRole('alert').getByText('The catalogue cannot be read now').waitFor()
  await look('snapshots-unreadable')
  broken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await rows(page).first().waitFor()
})

consoleTest('R2 R11 R12 R51 what a program saves turns up by itself, and goes when it is deleted', { key: real.manager }, async (page, { look }) => {
  await open(page)
  await page.locator('.live[data-state=connected]').waitFor()
  const name = `kept-${Date.now()}`
  const saving = api(real.manager, 'POST', `/projects/${real.id}/sandboxes/${real.sandbox}/snapshots`, { name }).then((answer) => answer)
  const row = rows(page).filter({ hasText: name })
  await row.getByText('Saved').waitFor({ timeout: 60_000 })
  const answer = await saving
  assert.ok([200, 201].includes(answer.status), JSON.stringify(answer))
  await row.getByText('Restorable').waitFor()
  await look('snapshots-real')
  await row.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Delete snapshot' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete snapshot' }).click()
  await page.getByText('1 snapshot deleted').waitFor()
  await until(async () => (await row.count()) === 0 || (await row.getByText('Cleanup pending').count()) === 1, true)
})

consoleTest('R22 R50 everything goes by keyboard', { key: many.manager }, async (page) => {
  await open(page, `${HOME}?search=${many.saved}`)
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the page')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main')
  const more = page.getByRole('button', { name: /^More for/ })
  await more.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Delete snapshot/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  assert.ok(await page.evaluate(() => document.querySelector('dialog').contains(document.activeElement)))
  await page.keyboard.press('Escape')
  await until(() => page.getByRole('dialog').count(), 0)
})

/** The whole of the console that is loaded before anybody does anything. */
consoleTest('the first load is small', { key: many.manager }, async (page) => {
  let size = 0
  page.on('response', async (answer) => {
    if (answer.url().startsWith(`${API}/console/`)) {
      size += Number((await answer.allHeaders())['content-length'] ?? 0)
    }
  })
  await open(page)
  await until(() => size, (now) => now > 20_000)
  assert.ok(size < 300 * 1024, `${size} bytes`)
})
