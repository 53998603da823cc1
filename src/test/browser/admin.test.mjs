// The pages of those who administer, against a real server: a project with people who may more and less, and the service.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { api, consoleTest, given, signIn, until } from './console.mjs'

const { team, admin } = given
const PAGES = ['keys', 'limits', 'audit', 'webhooks']
const DAY = 86_400_000

const table = (page, name) => page.getByRole('table', { name })
const dialog = (page, name) => page.getByRole('dialog', name ? { name } : {})
const row = (page, name, text) => table(page, name).getByRole('row').filter({ hasText: text })
const asked = (page, name) => new URL(page.url()).searchParams.get(name)

/** What differs little from what is looked at anyway: only where pictures are taken. */
const also = (look, name) => process.env.HOLDFAST_BROWSER_PICTURES && look(name)

async function open(page, address) {
  await page.goto(`/console/${address}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('[aria-busy=false], .state h2').first().waitFor()
}

async function menu(page, button, item) {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

consoleTest('R7 R8 R9 a key gets what is ticked, is shown once, is changed, and revoked', { key: team.manager }, async (page, { look }) => {
  await open(page, 'keys')
  const mine = row(page, 'Keys', 'the manager')
  await mine.getByText('This session').waitFor()
  await mine.getByText('Everything in the project').waitFor()
  await row(page, 'Keys', 'a deputy').getByText('Read snapshots, administer the project').waitFor()
  await look('keys')

  const create = page.getByRole('button', { name: 'Create key' })
  await create.first().click()
  const making = dialog(page, `Create a key of ${team.name}`)
  await making.getByRole('button', { name: 'Create key' }).click()
  await making.getByRole('alert').getByText('Give the key a name').waitFor()
  await making.getByLabel('Name').fill('nightly export')
  await making.getByRole('checkbox', { name: /Use sandboxes/ }).uncheck()
  await making.getByLabel('Expires').selectOption({ label: '30 days from now' })
  await look('keys-create')
  await making.getByLabel('Name').press('Enter')
  const once = dialog(page, 'Key nightly export')
  await once.getByText('It is shown only now.').waitFor()
  const key = await once.getByLabel('API key').inputValue()
  await once.getByRole('button', { name: 'Copy' }).click()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key)
  const { body } = await api(key, 'GET', `/projects/${team.id}`)
  assert.equal(body.id, team.id, 'it works')
  await once.getByRole('button', { name: 'Done' }).click()
  await until(() => dialog(page).count(), 0)
  assert.ok(!(await page.content()).includes(key), 'it is nowhere any more')

  const listed = row(page, 'Keys', 'nightly export')
  await listed.getByText('Read snapshots', { exact: true }).waitFor()
  await listed.getByText('by the manager').waitFor()
  const { body: all } = await api(team.manager, 'GET', `/projects/${team.id}/keys`)
  const made = all.keys.find((each) => each.name === 'nightly export')
  assert.deepEqual(made.permissions, ['snapshots:read'])
  assert.ok(Math.abs(new Date(made.expiresAt) - Date.now() - 30 * DAY) < 120_000, made.expiresAt)

  await menu(page, 'More for nightly export', 'Change…')
  const changing = dialog(page, 'Change nightly export')
  await changing.getByRole('checkbox', { name: /Use sandboxes/ }).check()
  await changing.getByLabel('Expires').selectOption({ label: 'Never' })
  await changing.getByRole('button', { name: 'Save' }).click()
  await listed.getByText('Read snapshots, use sandboxes').waitFor()

  await menu(page, 'More for nightly export', 'Revoke key…')
  await dialog(page).getByText('This cannot be taken back').waitFor()
  await also(look, 'keys-revoke')
  await dialog(page).getByRole('button', { name: 'Revoke key' }).click()
  await until(() => listed.count(), 0)
  assert.equal((await api(key, 'GET', `/projects/${team.id}`)).status, 401)
  await page.getByLabel('State').selectOption({ label: 'Revoked' })
  await listed.getByText(/Revoked/).waitFor()
  assert.equal(asked(page, 'state'), 'revoked')
  await also(look, 'keys-revoked')
})

consoleTest('R7 R8 who may not administer finds no way there, and who may gives no more than is theirs', { key: team.reader }, async (page, { context, look }) => {
  for (const name of [...PAGES, 'projects']) {
    await page.goto(`/console/${name}`)
    await page.getByRole('heading', { name: 'You have no access to this page' }).waitFor()
    assert.equal(await page.getByRole('list', { name: 'Administration' }).count(), 0)
  }
  await also(look, 'admin-forbidden')

  await signIn(context, team.deputy)
  await open(page, 'keys')
  const entries = page.getByRole('list', { name: 'Administration' }).getByRole('link')
  assert.deepEqual(await entries.allInnerTexts(), ['Keys', 'Limits', 'Audit', 'Webhooks'])
  await page.getByRole('button', { name: 'Create key' }).click()
  assert.ok(await dialog(page).getByRole('checkbox', { name: /Manage sandboxes/ }).isDisabled())
  assert.ok(await dialog(page).getByRole('checkbox', { name: /Administer the project/ }).isEnabled())
  await dialog(page).getByText('Your key cannot give it').first().waitFor()
  await also(look, 'keys-create-less')
  await page.keyboard.press('Escape')
})

consoleTest('R58 R59 R60 limits: plan and service limit, and who changes what', { key: team.manager }, async (page, { context, look }) => {
  await open(page, 'limits')
  assert.equal(await page.getByRole('button', { name: 'Change limits' }).count(), 0)
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog(page).getByLabel('Keep saved snapshots, in days').fill('14')
  await dialog(page).getByLabel('Keep deleted ones in the trash, in days').fill('2')
  await also(look, 'limits-policy')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('14 days').waitFor()
  const { body: policy } = await api(team.manager, 'GET', `/projects/${team.id}`)
  assert.deepEqual([policy.retentionSeconds, policy.trashSeconds], [14 * 86_400, 2 * 86_400])

  await page.evaluate((project) => sessionStorage.setItem('holdfast.project', JSON.stringify(project)), { id: team.id, name: team.name, slug: team.slug })
  await signIn(context, admin)
  const { body: before } = await api(admin, 'GET', `/admin/projects/${team.id}`)
  await open(page, 'limits')
  await page.getByRole('button', { name: 'Change limits' }).click()
  await dialog(page).getByLabel('A service limit is enforced instead of the plan').check()
  await dialog(page).getByLabel('Stored bytes, service limit').fill('0.5')
  await dialog(page).getByLabel('Snapshots, service limit').fill('many')
  await dialog(page).getByRole('button', { name: 'Save limits' }).click()
  await dialog(page).getByRole('alert').getByText('“Snapshots” of the service limit is a number').waitFor()
  await dialog(page).getByLabel('Snapshots, service limit').fill('12')
  await look('limits-change')
  await dialog(page).getByRole('button', { name: 'Save limits' }).click()
  await row(page, 'Limits', 'Stored bytes').getByText('512 MiB').first().waitFor()
  const { body: after } = await api(admin, 'GET', `/admin/projects/${team.id}`)
  assert.deepEqual([after.plan, after.limit.bytes, after.limit.snapshots], [before.plan, 2 ** 29, 12])

  await signIn(context, team.manager)
  await open(page, 'limits')
  await page.getByText('A service limit is set').waitFor()
  await row(page, 'Limits', 'Stored bytes').getByText('512 MiB').first().waitFor()
  await look('limits')
})

consoleTest('audit: filtered and paged in the address, an entry has a link, and all of it is written out', { key: team.manager }, async (page, { context, look }) => {
  const { body: fresh } = await api(team.manager, 'POST', `/projects/${team.id}/keys`, { name: 'renamed', permissions: ['snapshots:read'] })
  for (let i = 0; i < 27; i++) {
    await api(team.manager, 'PATCH', `/projects/${team.id}/keys/${fresh.id}`, { name: `renamed ${i}` })
  }
  await api(team.reader, 'POST', `/projects/${team.id}/snapshots/delete`, { ids: [team.snapshot] })

  await open(page, 'audit')
  await page.getByText(/Chain (whole|not verified yet)/).waitFor()
  await look('audit')
  await page.getByLabel('Object', { exact: true }).fill(fresh.id)
  await until(() => asked(page, 'object'), fresh.id)
  await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Change a key' })
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Last 24 hours' })
  const rows = table(page, 'Audit').locator('tbody tr')
  await until(() => rows.count(), 25)
  await page.getByRole('button', { name: 'Older' }).click()
  await until(() => rows.count(), 2)
  assert.ok(asked(page, 'after'))
  await page.getByRole('button', { name: 'Newer' }).click()
  await until(() => rows.count(), 25)
  await page.goBack()
  await until(() => rows.count(), 2)
  await page.getByRole('button', { name: 'Newest' }).click()
  await until(() => rows.count(), 25)

  // The same in both forms, all pages of it.
  const written = async (item) => {
    await page.getByRole('button', { name: 'Export' }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).click()])
    return readFile(await file.path(), 'utf8')
  }
  const lines = (await written(/NDJSON/)).trim().split('\n').map((each) => JSON.parse(each))
  assert.deepEqual([lines.length, new Set(lines.map((each) => each.action))], [27, new Set(['key.change'])])
  assert.equal((await written(/CSV/)).trim().split('\r\n').length, 28)

  await open(page, 'audit?outcome=refused')
  await rows.getByRole('link', { name: 'Delete a snapshot' }).first().click()
  const entry = page.getByRole('complementary', { name: 'Entry' })
  await entry.getByText('permission_missing').waitFor()
  await entry.getByText('a reader').waitFor()
  await look('audit-entry')
  const link = page.url()
  await page.keyboard.press('Escape')
  await until(() => entry.count(), 0)
  assert.equal(asked(page, 'open'), null)

  // A link to an entry leads there from a page that does not list it.
  const { searchParams } = new URL(link)
  await open(page, `audit?action=webhook.delete&open=${searchParams.get('open')}&at=${searchParams.get('at')}`)
  await page.getByRole('heading', { name: 'No entries match' }).waitFor()
  await entry.getByText('permission_missing').waitFor()
  await entry.getByRole('button', { name: 'All by this actor' }).click()
  await until(() => page.getByLabel('Actor', { exact: true }).evaluate((each) => each.selectedOptions[0].textContent.trim()), 'a reader')
  await page.getByRole('button', { name: 'Clear', exact: false }).first().click()
  await until(() => new URL(page.url()).search, '')

  await signIn(context, admin)
  await open(page, 'audit?scope=service&action=project.create')
  await rows.getByText('Create a project').first().waitFor()
  await also(look, 'audit-service')
})

/** Takes deliveries, or does not. */
async function receiver() {
  const taken = []
  const mood = { status: 200 }
  const server = createServer(async (request, answer) => {
    const parts = []
    for await (const part of request) {
      parts.push(part)
    }
    taken.push({ headers: request.headers, body: Buffer.concat(parts).toString(), status: mood.status })
    answer.writeHead(mood.status).end(mood.status === 200 ? 'taken' : 'the receiver is <b>not well</b>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { taken, mood, url: `http://127.0.0.1:${server.address().port}/holdfast`, close: () => server.close() }
}

function signed({ headers, body }, secret) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const wanted = createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64')
  return headers['webhook-signature'].split(' ').includes(`v1,${wanted}`)
}

consoleTest('webhooks: made with chosen events, seen delivering and failing, replayed, rotated, disabled and deleted', { key: team.manager, expected: [/status of 400/] }, async (page, { look }) => {
  const there = await receiver()
  const pin = (verb) => api(team.manager, verb, `/projects/${team.id}/snapshots/${team.snapshot}/pin`, verb === 'PUT' ? { reason: 'baseline' } : undefined)
  try {
    await open(page, 'webhooks')
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    await also(look, 'webhooks-none')
    await page.getByRole('button', { name: 'Create webhook' }).first().click()
    const making = dialog(page, 'Create webhook')
    await making.getByLabel('Address').fill('nowhere')
    await making.getByLabel('Chosen types of events').check()
    await making.getByLabel('Search types of events').fill('pinned')
    await making.getByRole('checkbox', { name: 'A snapshot is pinned' }).check()
    await making.getByRole('checkbox', { name: 'A snapshot is unpinned' }).check()
    await making.getByText('2 chosen').waitFor()
    await making.getByRole('button', { name: 'Create webhook' }).click()
    await making.getByRole('alert').getByText('"url"').waitFor()
    await look('webhooks-create')
    await making.getByLabel('Address').fill(there.url)
    await making.getByRole('button', { name: 'Create webhook' }).click()
    const secret = await dialog(page).getByLabel('Signing secret').inputValue()
    await look('webhooks-secret')
    await dialog(page).getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor()

    await pin('PUT')
    const deliveries = table(page, 'Deliveries').locator('tbody tr')
    await deliveries.filter({ hasText: 'snapshot.pinned' }).getByText('Delivered, 200').waitFor()
    assert.ok(signed(there.taken[0], secret), 'signed with what was shown')
    await page.getByRole('button', { name: /^Replay 0/ }).click()
    await until(() => there.taken.length, 2)
    assert.equal(there.taken[1].headers['webhook-id'], there.taken[0].headers['webhook-id'])

    there.mood.status = 503
    await pin('DELETE')
    const failing = deliveries.filter({ hasText: 'snapshot.unpinned' })
    await failing.getByText('Not taken, 503').waitFor()
    await failing.getByText(/next try/).waitFor()
    await failing.getByText('the receiver is <b>not well</b>').first().waitFor()
    await page.getByText('Failing').waitFor()
    await look('webhook')
    await page.getByLabel('State').selectOption({ label: 'Delivered' })
    await until(() => deliveries.count(), 1)
    await page.getByLabel('State').selectOption({ label: 'All' })

    await menu(page, 'More for this webhook', 'Disable…')
    await dialog(page).getByRole('button', { name: 'Disable' }).click()
    await page.getByText('disabled by its owner').waitFor()
    await failing.getByText('waits until it is enabled').waitFor()
    there.mood.status = 200
    await page.getByRole('button', { name: 'Enable' }).click()
    await failing.getByText('Delivered, 200').waitFor()

    await menu(page, 'More for this webhook', 'Rotate secret…')
    await dialog(page).getByRole('button', { name: 'Make another secret' }).click()
    const other = await dialog(page).getByLabel('Signing secret').inputValue()
    await dialog(page).getByRole('button', { name: 'I have kept it' }).click()
    const before = there.taken.length
    await page.getByRole('button', { name: 'Replay…' }).click()
    await also(look, 'webhook-replay')
    await dialog(page).getByRole('button', { name: 'Send once more' }).click()
    await page.getByText('2 deliveries are on their way').waitFor()
    await until(() => there.taken.length, before + 2)
    const last = there.taken.at(-1)
    assert.ok(other !== secret && signed(last, secret) && signed(last, other), 'for a day both')

    await page.getByRole('link', { name: 'Webhooks' }).first().click()
    await row(page, 'Webhooks', there.url).getByText('A snapshot is pinned; a snapshot is unpinned').waitFor()
    await look('webhooks')
    await menu(page, `More for ${there.url}`, 'Delete webhook…')
    await dialog(page).getByRole('button', { name: 'Delete webhook' }).click()
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
  } finally {
    there.close()
  }
})

consoleTest('projects: made, renamed, limited, closed and reopened by who administers the service', { key: admin }, async (page, { look }) => {
  await open(page, '')
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  await open(page, 'webhooks')
  await page.getByRole('heading', { name: 'Choose a project' }).waitFor()
  await page.getByRole('link', { name: 'All projects' }).click()
  await table(page, 'Projects').waitFor()
  const slug = `pilot-${Date.now()}`
  await page.getByRole('button', { name: 'Create project' }).click()
  await dialog(page).getByLabel('Name').fill('Pilot')
  await dialog(page).getByLabel('Slug').fill(slug)
  await dialog(page).getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
  await page.getByRole('button', { name: 'Project Pilot' }).waitFor()
  const { body: made } = await api(admin, 'GET', `/admin/projects/${slug}`)

  await page.route('**/admin/projects?*', async (route) => route.fulfill({ json: { projects: [(await api(admin, 'GET', `/admin/projects/${made.id}`)).body] } }))
  await open(page, 'projects')
  const listed = row(page, 'Projects', slug)
  await listed.getByText('Chosen').waitFor()
  await menu(page, 'More for Pilot', 'Rename…')
  await dialog(page).getByLabel('Name').fill('Second pilot')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Project Second pilot' }).waitFor()
  await menu(page, 'More for Second pilot', 'Limits…')
  await dialog(page).getByLabel('Snapshots, plan allowance').fill('7')
  await dialog(page).getByRole('button', { name: 'Save limits' }).click()
  await listed.getByText('7', { exact: true }).waitFor()
  await menu(page, 'More for Second pilot', 'Close project…')
  await dialog(page).getByText('its sandboxes end').waitFor()
  await also(look, 'projects-close')
  await dialog(page).getByRole('button', { name: 'Close project' }).click()
  await listed.getByText(/Closed/).waitFor()
  await look('projects')
  await menu(page, 'More for Second pilot', 'Reopen…')
  await dialog(page).getByRole('button', { name: 'Reopen project' }).click()
  await until(() => listed.getByText(/Closed/).count(), 0)
  await api(admin, 'POST', `/admin/projects/${made.id}/close`, {})
  assert.equal((await api(admin, 'GET', `/admin/projects/${made.id}`)).body.name, 'Second pilot')
})

consoleTest('what cannot be read says why and is tried again, and what is empty says what to do', { key: team.manager, expected: [/status of 503/] }, async (page, { look }) => {
  for (const [name, address, what] of [['keys', '**/keys?*', 'Keys'], ['audit', '**/audit?*', 'Audit'], ['webhooks', '**/webhooks', 'Webhooks'], ['limits', '**/storage', 'Limits']]) {
    let broken = true
    await page.route(address, (route) =>
      broken && route.request().resourceType() === 'fetch'
        ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify({ reason: 'temporarily_unavailable', detail: 'The database cannot be asked now. Try again in a moment.', requestId: '7d1f' }) })
        : route.continue(),
    )
    await page.goto(`/console/${name}`)
    await page.getByRole('alert').getByText('The database cannot be asked now').waitFor()
    broken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await (name === 'webhooks' ? page.getByRole('heading', { name: 'No webhooks yet' }) : table(page, what)).waitFor()
    await page.unroute(address)
  }
  await open(page, 'audit?action=job.start')
  await page.getByRole('heading', { name: 'No entries match' }).waitFor()
  await look('audit-no-match')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await table(page, 'Audit').waitFor()
})
