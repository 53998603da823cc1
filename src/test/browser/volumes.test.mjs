// The Volumes page and what the Workbench does with volumes, against a real server with real sandboxes.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api as call, consoleTest, given, signIn, until } from './console.mjs'

const { real } = given
const HOME = '/console/volumes'
const MIB = 2 ** 20
const ENTRIES = 10_000

const api = (method, path, body) => call(real.manager, method, `/projects/${real.id}${path}`, body)
const dialog = (page) => page.getByRole('dialog')
const table = (page, name) => page.getByRole('table', { name })
const row = (page, name, text) => table(page, name).getByRole('row').filter({ hasText: text })
const names = (page) => table(page, 'Files').locator('tbody th').evaluateAll((all) => all.map((each) => each.textContent.trim()))
const asked = (page, name) => new URL(page.url()).searchParams.get(name)

async function open(page, address = HOME) {
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('[aria-busy=false], .state h2').first().waitFor()
}

async function menu(page, name, item) {
  await page.getByRole('button', { name: `More for ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Past the browser; gives its ID. */
async function make(name, limitBytes = 32 * MIB) {
  const { status, body } = await api('POST', '/volumes', { name, limitBytes })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

async function put(volume, path, content) {
  const answer = await fetch(`${process.env.HOLDFAST_API}/api/v1/projects/${real.id}/volumes/${volume}/files/content?path=${encodeURIComponent(path)}&parents=true&overwrite=true`, {
    method: 'PUT',
    headers: { 'X-API-Key': real.manager, 'Content-Type': 'application/octet-stream' },
    body: content,
  })
  assert.equal(answer.status, 201, await answer.text())
}

/** What mounts it may be just ending. */
const remove = (name) => until(async () => (await api('DELETE', `/volumes/${name}`)).status, (status) => [204, 404].includes(status), `${name} is gone`, 30_000)

async function folder(files) {
  const at = await mkdtemp(join(tmpdir(), 'holdfast-'))
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(at, name), content)
  }
  return (name) => join(at, name)
}

async function downloaded(page, name) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: `Download ${name}` }).click()])
  assert.equal(file.suggestedFilename(), name)
  return readFile(await file.path())
}

/** What is to be seen fits a telephone as well. */
async function narrow(page, look, name) {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 400, height: 860 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(width <= 400, `${name} is ${width} px wide`)
  await look(`${name}-narrow`)
  await page.setViewportSize(before)
}

consoleTest('R73 a volume is made, filled, read, and deleted with all that is in it', { key: real.manager, expected: [/status of (400|404|409)/] }, async (page, { look }) => {
  await open(page)
  await page.getByRole('heading', { name: 'No volumes yet' }).waitFor()
  await look('volumes-none')
  const rail = page.getByRole('list', { name: 'AI Runtime Agent Sandboxes' })
  assert.deepEqual(await rail.getByRole('link').allInnerTexts(), ['Workbench', 'Snapshots', 'Sandboxes', 'Volumes', 'Storage'])

  await page.getByRole('button', { name: 'Create volume' }).first().click()
  await dialog(page).getByLabel('Name').fill('no name at all')
  await dialog(page).getByRole('button', { name: 'Create volume' }).click()
  await dialog(page).getByRole('alert').waitFor()
  await dialog(page).getByLabel('Limit', { exact: true }).fill('many')
  await dialog(page).getByRole('button', { name: 'Create volume' }).click()
  await dialog(page).getByRole('alert').getByText('a number above 0').waitFor()
  await look('volume-create')
  await dialog(page).getByLabel('Name').fill('datasets')
  await dialog(page).getByLabel('Limit', { exact: true }).fill('32')
  await dialog(page).getByLabel('Unit of the limit').selectOption('MiB')
  await dialog(page).getByLabel('Note (optional)').fill('Claims of 2026')
  await dialog(page).getByLabel('Name').press('Enter')
  await page.getByRole('heading', { name: 'datasets', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, `${HOME}/datasets`)
  const { body: made } = await api('GET', '/volumes/datasets')
  assert.deepEqual([made.limitBytes, made.note], [32 * MIB, 'Claims of 2026'])
  await page.getByText('Nothing is in this folder').waitFor()

  // Several at once, with bytes that are no text.
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 31) % 256))
  const at = await folder({ 'one.bin': bytes, 'zwei ü.txt': 'zwei' })
  await page.getByLabel('Upload files').setInputFiles([at('one.bin'), at('zwei ü.txt')])
  await page.getByText('2 of 2 files uploaded').waitFor()
  await until(() => names(page), ['one.bin', 'zwei ü.txt'])
  assert.deepEqual(await downloaded(page, 'one.bin'), bytes)
  assert.equal(String(await downloaded(page, 'zwei ü.txt')), 'zwei')

  // What is there is replaced only if that is said.
  await writeFile(at('one.bin'), 'another')
  await page.getByLabel('Upload files').setInputFiles(at('one.bin'))
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await uploads.getByText(/There is something at \/one.bin already/).waitFor()
  await look('volume-exists')
  await uploads.getByRole('button', { name: 'Replace one.bin' }).click()
  await page.getByText('1 of 1 file uploaded').waitFor()
  assert.equal(String(await downloaded(page, 'one.bin')), 'another')
  await page.getByRole('button', { name: 'Clear' }).click()
  await until(() => uploads.count(), 0)

  // Dropped, into a folder that was made.
  await page.getByRole('button', { name: 'New folder' }).click()
  await dialog(page).getByLabel('Name').fill('raw')
  await dialog(page).getByRole('button', { name: 'Create folder' }).click()
  await until(() => names(page), ['raw/', 'one.bin', 'zwei ü.txt'], 'folders first')
  await page.getByRole('link', { name: 'raw/' }).click()
  await until(() => asked(page, 'path'), '/raw')
  await page.getByText('Nothing is in this folder').waitFor()
  await until(() => page.evaluate(() => document.activeElement.textContent), 'raw', 'the focus is where that led')
  const drop = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['a,b\n1,2\n'], 'in.csv', { type: 'text/csv' }))
    return transfer
  })
  await page.locator('.files').dispatchEvent('drop', { dataTransfer: drop })
  await until(() => names(page), ['in.csv'])
  assert.equal(String(await downloaded(page, 'in.csv')), 'a,b\n1,2\n')
  await look('volume-files')
  await narrow(page, look, 'volume-files')

  await page.getByRole('button', { name: 'Rename or move in.csv' }).click()
  await dialog(page).getByLabel('Path').fill('/one.bin')
  await dialog(page).getByRole('button', { name: 'Move' }).click()
  await dialog(page).getByRole('alert').getByText('already').waitFor()
  await dialog(page).getByLabel('Path').fill('/raw/claims.csv')
  await look('volume-move')
  await dialog(page).getByRole('button', { name: 'Move' }).click()
  await until(() => names(page), ['claims.csv'])

  // The address leads there again, and back.
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'datasets' }).click()
  await until(() => names(page), ['raw/', 'one.bin', 'zwei ü.txt'])
  await page.goBack()
  await until(() => names(page), ['claims.csv'])
  await page.reload()
  await until(() => names(page), ['claims.csv'])
  await page.goto(`${HOME}/${made.id}?path=/nowhere`)
  await page.getByRole('heading', { name: 'There is no such folder' }).waitFor()
  await look('volume-no-folder')
  await page.getByRole('link', { name: 'Go up' }).click()
  await until(() => names(page), ['raw/', 'one.bin', 'zwei ü.txt'])

  await page.getByRole('button', { name: 'Delete raw' }).click()
  await dialog(page).getByText('and everything in it').waitFor()
  await page.keyboard.press('Escape')
  assert.equal((await names(page)).length, 3, 'Escape deletes nothing')
  await page.getByRole('button', { name: 'Delete raw' }).click()
  await look('volume-delete-folder')
  await dialog(page).getByRole('button', { name: 'Delete folder' }).click()
  await until(() => names(page), ['one.bin', 'zwei ü.txt'])
  assert.equal((await api('GET', '/volumes/datasets/files?path=/raw')).status, 404)

  await page.getByRole('link', { name: 'Volumes' }).first().click()
  const entry = row(page, 'Volumes', 'datasets')
  await entry.getByText('of 32.0 MiB').waitFor()
  await entry.getByText('by the manager').waitFor()
  await entry.getByText('worker-1').waitFor()
  await look('volumes')
  await narrow(page, look, 'volumes')
  await page.getByLabel('Search volumes').fill('claims of')
  await until(() => asked(page, 'search'), 'claims of')
  await entry.waitFor()
  await page.getByLabel('Search volumes').fill('nowhere')
  await page.getByRole('heading', { name: 'No volumes match' }).waitFor()
  await look('volumes-no-match')
  await page.getByRole('button', { name: 'Clear search' }).click()
  await entry.waitFor()
  assert.equal(new URL(page.url()).search, '')

  await menu(page, 'datasets', 'Delete volume…')
  await dialog(page).getByText('they cannot be brought back').waitFor()
  await look('volume-delete')
  await dialog(page).getByRole('button', { name: 'Delete volume' }).click()
  await page.getByRole('heading', { name: 'No volumes yet' }).waitFor()
  assert.equal((await api('GET', '/volumes/datasets')).status, 404)
  await page.goto(`${HOME}/datasets`)
  await page.getByRole('heading', { name: 'This volume is not there' }).waitFor()
})

consoleTest('R73 the limit is told for the file that is over it, is raised, and sending can be cancelled', { key: real.manager, expected: [/status of 409/, /ERR_CONNECTION|Failed to load resource/] }, async (page, { look }) => {
  await make('small', 16 * MIB)
  try {
    await open(page, `${HOME}/small`)
    const at = await folder({ 'large.bin': Buffer.alloc(20 * MIB, 7), 'little.txt': 'fits' })
    await page.getByLabel('Upload files').setInputFiles([at('large.bin'), at('little.txt')])
    const uploads = page.getByRole('region', { name: 'Uploads' })
    await uploads.getByText('1 of 2 files uploaded, 1 not').waitFor({ timeout: 60_000 })
    await uploads.getByText(/The volume is full/).waitFor()
    await until(() => names(page), ['little.txt'])
    await look('volume-full')

    await menu(page, 'small', 'Raise limit…')
    await dialog(page).getByRole('button', { name: 'Raise limit' }).click()
    await dialog(page).getByRole('alert').getByText('Give a limit above 16.0 MiB').waitFor()
    await dialog(page).getByLabel('Limit', { exact: true }).fill('8')
    await dialog(page).getByRole('button', { name: 'Raise limit' }).click()
    await dialog(page).getByRole('alert').getByText(/grows and does not shrink|from 16777216/).waitFor()
    await look('volume-raise')
    await dialog(page).getByLabel('Limit', { exact: true }).fill('64')
    await dialog(page).getByRole('button', { name: 'Raise limit' }).click()
    await page.getByText('of 64.0 MiB').waitFor()
    await uploads.getByRole('button', { name: 'Try again: upload large.bin' }).click()
    await uploads.getByText('2 of 2 files uploaded').waitFor({ timeout: 60_000 })
    await until(() => names(page), ['large.bin', 'little.txt'])

    // A file on its way is given up; nothing of it is there, and what waits behind it goes on.
    await writeFile(at('slow.bin'), Buffer.alloc(4 * MIB, 1))
    await writeFile(at('next.txt'), 'next')
    let held
    await page.route('**/files/content?*slow.bin*', (route) => (held = route))
    await page.getByLabel('Upload files').setInputFiles([at('slow.bin'), at('next.txt')])
    await uploads.getByRole('progressbar', { name: 'Upload of slow.bin' }).waitFor()
    await until(() => Boolean(held), true)
    await uploads.getByRole('button', { name: 'Cancel the upload of slow.bin' }).click()
    await uploads.getByText(/Cancelled to \//).waitFor()
    await until(() => names(page), ['large.bin', 'little.txt', 'next.txt'])
    await look('volume-cancelled')
  } finally {
    await remove('small')
  }
})

consoleTest(`R73 a folder with ${ENTRIES} entries is turned over and searched`, { key: real.manager }, async (page, { look }) => {
  await make('many', 128 * MIB)
  const { body: session } = await api('POST', '/sessions', { template: 'code-interpreter-v1', volumeMounts: [{ name: 'many', path: '/mnt/many' }] })
  try {
    const code = `import os\nfor i in range(${ENTRIES - 2}): open(f'/mnt/many/{i}.txt', 'w').close()\nos.mkdir('/mnt/many/zeta'); os.mkdir('/mnt/many/alpha')`
    assert.equal((await fetch(`${process.env.HOLDFAST_API}/api/v1/projects/${real.id}/sessions/${session.id}/contexts/python/executions`, {
      method: 'POST',
      headers: { 'X-API-Key': real.manager, 'Content-Type': 'application/json' },
      body: JSON.stringify({ code }),
    }).then(async (answer) => (await answer.text(), answer.status))), 200)

    await open(page, `${HOME}/many`)
    await page.getByText(/^1–200 of 10,000$/).waitFor({ timeout: 60_000 })
    assert.deepEqual((await names(page)).slice(0, 3), ['alpha/', 'zeta/', '0.txt'])
    await look('volume-many')
    await page.getByRole('button', { name: 'Next' }).click()
    await until(() => asked(page, 'page'), '2')
    assert.equal((await names(page))[0], '198.txt')
    await page.goBack()
    await until(async () => (await names(page))[0], 'alpha/')
    await page.getByLabel('Find a name').fill('9997')
    await until(() => names(page), ['9997.txt'])
    assert.equal(asked(page, 'find'), '9997')
    await page.goto(`${HOME}/many?page=50`)
    await page.getByText(/^9,801–10,000 of 10,000$/).waitFor({ timeout: 60_000 })
  } finally {
    await api('DELETE', `/sessions/${session.id}`)
    await remove('many')
  }
})

consoleTest('R7 R8 R9 who may use and who may only read', { key: real.user, expected: [/status of 403/] }, async (page, { context, look }) => {
  await make('shared')
  await put('shared', '/notes.txt', 'seen')
  try {
    await open(page)
    await row(page, 'Volumes', 'shared').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Create volume' }).count(), 0)
    assert.equal(await page.locator('.live').count(), 0, 'no events for those who may not read them')
    await page.getByRole('button', { name: 'More for shared' }).click()
    assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Copy ID', 'Copy name'])
    await page.keyboard.press('Escape')
    await row(page, 'Volumes', 'shared').getByRole('link', { name: 'shared' }).click()
    await until(() => names(page), ['notes.txt'])
    assert.equal(String(await downloaded(page, 'notes.txt')), 'seen')
    const { status, body } = await call(real.user, 'DELETE', `/projects/${real.id}/volumes/shared`)
    assert.deepEqual([status, body.reason], [403, 'permission_missing'])

    await signIn(context, real.reader)
    await open(page, `${HOME}/shared`)
    await page.getByRole('heading', { name: 'You may not see what is in it' }).waitFor()
    await look('volume-reader')
    const files = await call(real.reader, 'GET', `/projects/${real.id}/volumes/shared/files`)
    assert.deepEqual([files.status, files.body.reason], [403, 'permission_missing'])

    await signIn(context, real.deputy)
    await page.goto(HOME)
    await page.getByRole('heading', { name: 'You have no access to this page' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Volumes', exact: true }).count(), 0)
  } finally {
    await remove('shared')
  }
})

consoleTest('what cannot be read, and what turns up by itself', { key: real.manager, expected: [/status of 503/] }, async (page, { look }) => {
  const refusal = { status: 503, contentType: 'application/problem+json', body: JSON.stringify({ reason: 'temporarily_unavailable', detail: 'The volumes cannot be read now. Try again in a moment.', requestId: '7d1f' }) }
  await page.route('**/volumes?*', (route) => route.fulfill(refusal))
  await page.goto(HOME)
  await page.getByRole('alert').getByText('The volumes cannot be read now').waitFor()
  await look('volumes-unreadable')
  await page.unroute('**/volumes?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'No volumes yet' }).waitFor()
  await page.locator('.live[data-state=connected]').waitFor()
  await make('sudden')
  await row(page, 'Volumes', 'sudden').waitFor()
  await remove('sudden')
  await page.getByRole('heading', { name: 'No volumes yet' }).waitFor()
})

// ---- In the Workbench

const editor = (page) => page.getByRole('textbox', { name: 'Code' })
const button = (where, name) => where.getByRole('button', { name, exact: true })

/** Runs a draft by its keys and waits for its end; gives what it said. */
async function execute(page, text) {
  const before = await page.getByRole('article').count()
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
  await page.keyboard.press('Control+Enter')
  const block = page.getByRole('article').nth(before)
  await block.getByText('Done', { exact: true }).waitFor()
  return block.innerText()
}

/** A fresh session that mounts `volume` at `path`; gives its ID. */
async function start(page, volume, path, look) {
  await page.goto('/console/workbench')
  await editor(page).waitFor()
  await button(page, 'New').click()
  await button(dialog(page), 'Mount a volume').click()
  await dialog(page).getByLabel('Volume 1', { exact: true }).selectOption(volume)
  assert.equal(await dialog(page).getByLabel('Path of volume 1').inputValue(), `/mnt/${volume}`)
  await dialog(page).getByLabel('Path of volume 1').fill('data')
  await button(dialog(page), 'Start session').click()
  await dialog(page).getByRole('alert').getByText('“data” is no path for a volume').waitFor()
  await dialog(page).getByLabel('Path of volume 1').fill(path)
  await look?.('workbench-new')
  await button(dialog(page), 'Start session').click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('group', { name: 'Session' }).getByText('Running', { exact: true }).waitFor({ timeout: 60_000 })
  return until(() => asked(page, 'session'), Boolean)
}

consoleTest('R43 R73 files on a volume keep what is in them when a session is loaded', { key: real.manager }, async (page, { look }) => {
  const id = await make('kept')
  let snapshot
  try {
    const first = await start(page, 'kept', '/mnt/kept', look)
    const { body: session } = await api('GET', `/sessions/${first}`)
    assert.deepEqual(session.mounts, [{ volumeId: id, name: 'kept', path: '/mnt/kept' }])
    await execute(page, "step = 1\nprint(1, end='', file=open('/mnt/kept/step', 'w'), flush=True)")

    // The drawer has the volume, by the same parts as the page.
    await page.getByRole('tab', { name: 'Volumes' }).click()
    await page.getByText('Mounted at /mnt/kept').waitFor()
    await until(() => names(page), ['step'])
    assert.equal(String(await downloaded(page, 'step')), '1')
    const at = await folder({ 'from browser.txt': 'of the browser' })
    await page.getByLabel('Upload files').setInputFiles(at('from browser.txt'))
    await until(() => names(page), ['from browser.txt', 'step'])
    assert.match(await execute(page, "open('/mnt/kept/from browser.txt').read()"), /of the browser/)
    await look('workbench-volumes')

    await button(page, 'Save').click()
    await button(dialog(page), 'Save session').click()
    await dialog(page).getByText(/Saved as/).waitFor({ timeout: 60_000 })
    snapshot = (await dialog(page).getByRole('link', { name: 'Show in Snapshots' }).getAttribute('href')).split('/').pop()
    await button(dialog(page), 'Go on').click()
    await execute(page, "step = 2\nprint(2, end='', file=open('/mnt/kept/step', 'w'), flush=True)")

    await page.goto(`/console/workbench?load=${snapshot}`)
    await dialog(page).getByText('Can be loaded').waitFor()
    await dialog(page).getByText('kept at /mnt/kept').waitFor()
    await dialog(page).getByText(/Files on volumes are not rolled back/).waitFor()
    assert.equal(await dialog(page).getByRole('link', { name: 'Share files between sessions' }).getAttribute('href'), HOME)
    await look('workbench-load-volumes')
    await button(dialog(page), 'Load session').click()
    await dialog(page).waitFor({ state: 'detached', timeout: 60_000 })
    assert.match(await execute(page, "(step, open('/mnt/kept/step').read())"), /\(1, '2'\)/, 'the session is as it was, the volume as it is')

    await open(page, HOME)
    const entry = row(page, 'Volumes', 'kept')
    assert.equal(await entry.locator('[data-label="Snapshots"]').innerText(), '1')
    await menu(page, 'kept', 'Delete volume…')
    await dialog(page).getByText('1 sandbox mounts it.').waitFor()
    await dialog(page).getByText('1 snapshot mounts it').waitFor()
    await look('volume-delete-used')
    await page.keyboard.press('Escape')
  } finally {
    for (const each of (await api('GET', '/sessions')).body.sessions) {
      await api('DELETE', `/sessions/${each.id}`)
    }
    if (snapshot) {
      await api('DELETE', `/snapshots/${snapshot}`)
    }
    await remove('kept')
  }
})

consoleTest('R73 two sessions share a file through a volume', { key: real.manager, expected: [/status of 409/] }, async (page, { context }) => {
  await make('between')
  try {
    await start(page, 'between', '/mnt/between')
    await execute(page, "open('/mnt/between/hand.txt', 'w').write('from the first')")
    const other = await context.newPage()
    await start(other, 'between', '/home/user/in')
    assert.match(await execute(other, "open('/home/user/in/hand.txt').read()"), /from the first/)
    await execute(other, "open('/home/user/in/hand.txt', 'a').write(', and the second')")
    assert.match(await execute(page, "open('/mnt/between/hand.txt').read()"), /from the first, and the second/)
    assert.equal((await api('GET', '/volumes/between')).body.mountedBy.length, 2)

    await open(page, HOME)
    await menu(page, 'between', 'Delete volume…')
    await dialog(page).getByText('2 sandboxes mount it.').waitFor()
    await dialog(page).getByRole('button', { name: 'Delete volume' }).click()
    await dialog(page).getByRole('alert').getByText(/cannot be deleted/).waitFor()
    await page.keyboard.press('Escape')
    assert.equal((await api('GET', '/volumes/between')).status, 200)
  } finally {
    for (const each of (await api('GET', '/sessions')).body.sessions) {
      await api('DELETE', `/sessions/${each.id}`)
    }
    await remove('between')
  }
})
