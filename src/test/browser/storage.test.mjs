// The Storage page against a real server: a project that nears its limit, and people who may more and less.
import assert from 'node:assert/strict'
import { api, consoleTest, given, until } from './console.mjs'

const { many } = given
const HOME = '/console/storage'
const path = `/projects/${many.id}`

const region = (page, name) => page.getByRole('region', { name, exact: true })

async function open(page, address = HOME) {
  await page.goto(address)
  await page.getByRole('heading', { name: 'Storage', level: 1 }).waitFor()
  await page.getByRole('table', { name: 'What counts' }).waitFor()
}

consoleTest('R56 R57 R58 R59 R66 R67 what counts toward which limit, and what is charged until it is cleaned up', { key: many.manager }, async (page, { look }) => {
  await open(page)
  const { body: storage } = await api(many.manager, 'GET', `${path}/storage`)
  const summary = region(page, 'Project storage')
  await summary.getByText(/8\d % used/).waitFor()
  await summary.getByRole('progressbar', { name: /GiB of .* stored/ }).waitFor()
  await summary.getByRole('progressbar', { name: `${storage.used.snapshots} of ${storage.limit.snapshots} snapshots` }).waitFor()
  await summary.getByRole('row', { name: /Plan allowance/ }).waitFor()
  await summary.getByRole('row', { name: /Service limit enforced instead/ }).waitFor()
  await summary.getByText('Cleanup pending').waitFor()
  await summary.getByText('The store does not answer.').waitFor()
  assert.equal(await summary.getByRole('link', { name: 'Show' }).first().getAttribute('href'), '/console/snapshots?status=awaitingCleanup')
  const shares = page.getByRole('table', { name: 'What counts' })
  for (const [kind, label] of [['saved', 'Saved'], ['uploads', 'Uploads'], ['paused', 'Paused sandboxes'], ['trash', 'In the trash'], ['awaitingCleanup', 'Awaiting cleanup']]) {
    const cells = await shares.getByRole('row', { name: new RegExp(`^${label}`) }).getByRole('cell').allInnerTexts()
    assert.equal(cells[1], String(storage[kind].count), label)
  }
  await region(page, 'Retention').getByText('There is no policy').waitFor()
  await look('storage')
})

consoleTest('usage day by day as a plot and as a table, in the address', { key: many.manager }, async (page, { look }) => {
  await open(page)
  await page.getByRole('img', { name: /^Stored bytes and number of snapshots per day\. Now .* The table has every day\.$/ }).waitFor()
  const usage = region(page, 'Usage over 90 days')
  await usage.getByRole('button', { name: 'Table' }).click()
  assert.equal(new URL(page.url()).searchParams.get('view'), 'table')
  const { body: history } = await api(many.manager, 'GET', `${path}/storage/history?days=90`)
  const rows = page.getByRole('table', { name: 'Usage by day' }).locator('tbody tr')
  await until(() => rows.count(), history.days.length)
  await look('storage-table')
  await page.getByLabel('Days', { exact: true }).selectOption('7')
  await until(() => rows.count(), (count) => count <= 7)
  assert.equal(await rows.last().getByRole('rowheader').locator('time').getAttribute('datetime'), history.days.at(-7).day)
  await page.goBack()
  await until(() => rows.count(), history.days.length)
  await page.goBack()
  await page.getByRole('img', { name: /^Stored bytes/ }).waitFor()
})

consoleTest('R21 R32 R84 what is largest, and what expires soon and is extended', { key: many.manager }, async (page, { look }) => {
  await open(page)
  const { body } = await api(many.manager, 'GET', `${path}/snapshots?status=saved&sort=size&direction=desc&limit=8`)
  const largest = page.getByRole('table', { name: 'Largest snapshots' }).getByRole('link')
  await until(() => largest.evaluateAll((all) => all.map((each) => each.getAttribute('href'))), body.snapshots.map((each) => `/console/snapshots/${each.id}`))
  const soon = page.getByRole('table', { name: 'Expiring soon' })
  const extend = soon.getByRole('button', { name: `Extend ${many.slug}/ending:default` })
  await extend.click()
  const dialog = page.getByRole('dialog', { name: /^Extend/ })
  await dialog.getByLabel(/^7 days from now/).check()
  await look('storage-extend')
  await dialog.getByRole('button', { name: 'Extend' }).click()
  await page.getByText(/ending:default is kept until/).waitFor()
  await until(() => extend.count(), 0)
  await page.getByLabel('Within', { exact: true }).selectOption({ label: '7 days' })
  await extend.waitFor()
  assert.equal(new URL(page.url()).searchParams.get('within'), '168')
})

consoleTest('R84 the retention policy: what would go and why before anything is saved', { key: many.manager, expected: [/status of 400/] }, async (page, { look }) => {
  await open(page)
  const retention = region(page, 'Retention')
  await retention.getByRole('button', { name: 'Edit policy' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Newest').fill('0')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('alert').getByText('"keepLast" is a whole number of at least 1').waitFor()
  await dialog.getByLabel('Newest').fill('2')
  await dialog.getByLabel('Counted over').selectOption('project')
  await dialog.getByLabel('Apply to the snapshots that are there').check()
  await look('retention-edit')
  await dialog.getByRole('button', { name: 'Preview' }).click()

  const policy = { zone: 'UTC', rules: [{ per: 'project', keepLast: 2 }] }
  const { body: preview } = await api(many.manager, 'POST', `${path}/retention/preview`, { policy, applyToExisting: true })
  await dialog.getByText(`${preview.going.count} snapshots`).waitFor()
  const going = dialog.getByRole('table', { name: 'What would go' })
  await going.getByText('none of the last 2').first().waitFor()
  assert.equal(await going.locator('tbody tr').count(), preview.items.length)
  await look('retention-preview')
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByLabel('Apply to the snapshots that are there').uncheck()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('Nothing would go').waitFor()
  await dialog.getByRole('button', { name: 'Save version 1' }).click()
  await page.getByText('Version 1 of the retention policy is in force').waitFor()
  await retention.getByText('All snapshots: keeps the last 2 of the whole project.').waitFor()
  await retention.getByRole('button', { name: 'Preview what goes now' }).click()
  await retention.getByText('Nothing would go').waitFor()

  await retention.getByRole('button', { name: 'Change times' }).click()
  await dialog.getByLabel(/^Days until/).fill('14')
  await look('retention-times')
  await dialog.getByRole('button', { name: 'Save times' }).click()
  await retention.getByText('14 days').waitFor()
  const { body: project } = await api(many.manager, 'GET', path)
  assert.equal(project.retentionSeconds, 14 * 86_400)
})

consoleTest('R10 who only reads changes nothing, and a part that cannot be read leaves the others', { key: many.reader, expected: [/status of 503/] }, async (page, { look }) => {
  let broken = true
  await page.route('**/api/v1/projects/*/storage', (route) =>
    broken
      ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify({ reason: 'temporarily_unavailable', detail: 'The figures cannot be read now. Try again in a moment.', requestId: '7d1f' }) })
      : route.continue(),
  )
  await page.goto(HOME)
  await page.getByRole('table', { name: 'Largest snapshots' }).waitFor()
  await region(page, 'Project storage').getByRole('alert').getByText('The figures cannot be read now').waitFor()
  await look('storage-unreadable')
  broken = false
  await region(page, 'Project storage').getByRole('button', { name: 'Try again' }).click()
  await region(page, 'Project storage').getByText(/8\d % used/).waitFor()
  await region(page, 'Retention').getByText(/snapshot expires/).waitFor()
  assert.equal(await page.getByRole('button', { name: /Extend|Edit|Change/ }).count(), 0)
})
