// The Workbench as people use it, against the real server with real sandboxes.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { consoleTest, given, until } from './console.mjs'
import { button, dialog, editor, execute, ofProject, run, save, WORKBENCH, write } from './workbench.mjs'

const { key, project } = given.workbench
const { api, sessions, endAll } = ofProject(key, project)
// A refusal that is tested for is an error in the browser's own words; so is a completion whose session ends meanwhile.
const REFUSED = [
  /Failed to load resource: the server responded with a status of (403|404|409)/,
  /Failed to load resource: the server responded with a status of 503 .*\/completions\b/,
]

consoleTest(
  'R60a R1 R5 R6 R11 R34 R35 R36 R37 R38 R41 R42 R44 R72 what was saved in the Workbench is found, loaded, and total is 42',
  { key },
  async (page, { context, look }) => {
    await page.goto(WORKBENCH)
    await editor(page).waitFor()
    assert.match(await editor(page).innerText(), /total = 42/)
    await page.getByText(/Save keeps everything in the session/).waitFor()
    await page.getByRole('link', { name: 'Load a saved session' }).waitFor()
    await look('workbench-first')

    await editor(page).click()
    await page.keyboard.press('Control+Enter')
    await run(page, /total = 42/).getByText('Done', { exact: true }).waitFor()
    assert.match(await run(page, /total = 42/).innerText(), /\b42\b/)
    const names = page.getByRole('table', { name: 'Variables' })
    await names.getByRole('row', { name: /total int 42/ }).waitFor()
    const first = new URL(page.url()).searchParams.get('session')

    const snapshot = await save(page)
    await dialog(page).getByText(/The session stood still for [\d.]+ s and goes on/).waitFor()
    await look('workbench-saved')
    await button(dialog(page), 'Go on').click()

    await execute(page, 'total = 1')
    await write(page, 'total')
    // As the row of the snapshot does.
    await page.goto(`/console/snapshots?search=${snapshot.slice(0, 8)}`)
    await page.getByRole('link', { name: 'Open in Workbench' }).first().click()
    await dialog(page).getByText('Can be loaded').waitFor()
    assert.match(await dialog(page).innerText(), new RegExp(snapshot.slice(0, 8)))
    await dialog(page).getByText(/Files, memory and processes/).waitFor()
    await dialog(page).getByText(/Files on volumes are not rolled back/).waitFor()
    await dialog(page).getByRole('radio', { name: /offline .*no internet access/ }).check()
    assert.deepEqual(await sessions(), [first], 'nothing is restored before it is confirmed')
    await look('workbench-load')
    await button(dialog(page), 'Load session').click()
    await dialog(page).waitFor({ state: 'detached' })

    assert.equal((await editor(page).innerText()).trim(), 'total', 'the draft is as it was')
    const block = await execute(page, 'total')
    assert.match(await block.innerText(), /\b42\b/)
    assert.match(await page.getByRole('group', { name: 'Session' }).innerText(), /offline/)
    assert.notDeepEqual(await sessions(), [first], 'the former session has ended')
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByRole('table', { name: 'History' }).getByText('total = 1', { exact: true }).waitFor()
    await look('workbench-loaded')
    await endAll()
    await api('DELETE', `/snapshots/${snapshot}`)
  },
)

consoleTest(
  'R39 R40 R64 R65 R68 R69 R71 a session is kept before another is loaded, and a refused load changes nothing',
  { key, expected: REFUSED },
  async (page, { context, look }) => {
    await page.goto(WORKBENCH)
    await execute(page, 'kept = "first"\nkept')
    const first = await save(page)
    await button(dialog(page), 'Go on').click()
    await execute(page, 'kept = "second"\nkept')

    await page.goto(`${WORKBENCH}?load=${first}`)
    await dialog(page).getByText('Can be loaded').waitFor()
    await button(dialog(page), 'Save current and load').click()
    await dialog(page).getByText(/Freezing the session.*it stood still for/).waitFor()
    await dialog(page).getByText(/Restoring files, memory and processes/).waitFor()
    await look('workbench-both-steps')
    await dialog(page).waitFor({ state: 'detached' })
    assert.match(await (await execute(page, 'kept')).innerText(), /first/)

    // What was kept is offered, and can be chosen; it is deleted after the dialog was drawn.
    await button(page, 'Load').click()
    const others = dialog(page).getByRole('list', { name: 'Other snapshots' })
    await others.getByRole('listitem').first().waitFor()
    assert.ok((await others.getByRole('listitem').count()) >= 2)
    await others.getByRole('listitem').first().getByRole('button').click()
    await dialog(page).getByText('Can be loaded').waitFor()
    const kept = new URL(page.url()).searchParams.get('load')
    assert.notEqual(kept, first)
    const before = await sessions()
    assert.equal((await api('DELETE', `/snapshots/${kept}`)).status, 204)
    await button(dialog(page), 'Load session').click()
    await dialog(page).getByRole('alert').getByText(/deleted/).waitFor()
    await dialog(page).getByText(/Your draft is as before, and the open session goes on/).waitFor()
    await others.getByRole('button').first().waitFor()
    await look('workbench-refused')
    await button(dialog(page), 'Cancel').click()
    assert.deepEqual(await sessions(), before)
    assert.match(await (await execute(page, 'kept')).innerText(), /first/, 'the open session is as it was')

    await api('PATCH', `/snapshots/${first}`, { expiresAt: new Date(Date.now() + 1_500).toISOString() })
    await new Promise((done) => setTimeout(done, 1_700))
    for (const [id, why] of [
      [first, /expired/],
      [kept, /deleted/],
      [given.workbench.upload, /still being saved/],
      [given.workbench.pending, /waits for its clean-up|deleted/],
      ['0b8c5c0e-1111-4111-8111-111111111111', /no such snapshot|There is no snapshot/i],
    ]) {
      await page.goto(`${WORKBENCH}?load=${id}`)
      await dialog(page).getByText(why).first().waitFor()
      assert.equal(await button(dialog(page), 'Load session').isDisabled(), true, `${id} cannot be loaded`)
      await page.keyboard.press('Escape')
      assert.equal((await editor(page).innerText()).trim(), 'kept', 'the draft is as it was')
    }
    await endAll()
  },
)

consoleTest(
  'hostile output, errors, interrupts, files, and two tabs with one session',
  { key, expected: REFUSED },
  async (page, { context, look }) => {
    await page.goto(WORKBENCH)
    const hostile = await execute(
      page,
      `class Rich:
    def _repr_html_(self):
        return '<style>body{display:none}</style><script>document.title="bad"</script><table onclick="x()"><thead><tr><th>city<th>sales</thead><tbody><tr><td><img src=x onerror=alert(1)>Lille</td><td>980</td></tr></tbody></table>'
class Plot:
    def _repr_svg_(self):
        return '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>document.title="bad"</script><rect width="40" height="20" fill="teal"/></svg>'
print("\\x1b[31mred\\x1b[0m plain")
Rich()`,
    )
    const table = hostile.getByRole('table')
    assert.equal(await table.getByRole('cell', { name: 'Lille' }).count(), 1)
    assert.equal(await table.locator('img').count(), 0)
    await hostile.getByText('red', { exact: true }).waitFor()
    const plot = await execute(page, 'Plot()')
    await plot.getByRole('img').waitFor()
    await plot.getByRole('button', { name: 'Copy' }).waitFor()
    await plot.getByRole('link', { name: 'Download' }).waitFor()
    assert.match(await page.title(), /Workbench/)

    const failed = await execute(page, 'x = 1\ny = 0\nx / y', 'Failed')
    assert.match(await failed.innerText(), /ZeroDivisionError: division by zero[\s\S]*Line 3/)
    assert.equal(await failed.getByText(/most recent call/).isVisible(), false, 'folded')
    await look('workbench-output')

    await write(page, 'import time\nwhile True:\n    print("on", flush=True)\n    time.sleep(0.2)')
    await page.keyboard.press('Control+Enter')
    const endless = page.getByRole('article').last()
    await endless.getByText('on').first().waitFor()
    assert.equal(await button(page, 'Save').getAttribute('aria-disabled'), 'true', 'only while nothing runs')
    await endless.getByRole('button', { name: 'Interrupt' }).click()
    await endless.getByText('Interrupted', { exact: true }).waitFor()

    const folder = await mkdtemp(join(tmpdir(), 'holdfast-'))
    await writeFile(join(folder, 'notes.txt'), 'of the browser')
    await page.getByRole('tab', { name: 'Files' }).click()
    await page.getByLabel('Upload files').setInputFiles(join(folder, 'notes.txt'))
    const file = page.getByRole('table', { name: 'Files' }).getByRole('row', { name: /notes.txt/ })
    await file.waitFor()
    assert.match(await (await execute(page, 'open("notes.txt").read()')).innerText(), /of the browser/)
    const [download] = await Promise.all([page.waitForEvent('download'), file.getByRole('link', { name: 'Download notes.txt' }).click()])
    assert.equal(await readFile(await download.path(), 'utf8'), 'of the browser')
    await page.getByRole('tab', { name: 'Volumes' }).click()
    await page.getByText(/not part of a snapshot/).waitFor()
    await page.getByRole('tab', { name: 'Processes' }).click()

    // The border between the panes, by keys, and as it was after a reload.
    const border = page.getByRole('separator', { name: 'Between editor and output' })
    await border.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    assert.equal(await border.getAttribute('aria-valuenow'), '46')

    const second = await context.newPage()
    await second.goto(page.url())
    await second.getByText(/Another tab has session/).waitFor()
    await look('workbench-two-tabs')
    await second.getByRole('button', { name: 'Take over here' }).click()
    await second.getByText('Running', { exact: true }).waitFor()
    assert.equal(await second.getByRole('separator', { name: 'Between editor and output' }).getAttribute('aria-valuenow'), '46')
    await page.getByText(/It was taken over there/).waitFor()
    assert.match(await (await execute(second, 'x')).innerText(), /\b1\b/, 'the same session')

    const [id] = await sessions()
    await api('DELETE', `/sessions/${id}`)
    await second.getByText(/The session has ended/).waitFor()
    await second.getByRole('button', { name: 'Start a new session' }).waitFor()
    assert.equal((await editor(second).innerText()).trim(), 'x', 'the draft is as it was')
    await endAll()
  },
)

consoleTest('R70 R71 what another runtime has saved is refused in words, and another snapshot is chosen', { key, expected: REFUSED }, async (page, { look }) => {
  const { foreign } = given.workbench
  await page.goto(WORKBENCH)
  await execute(page, 'total = 42\ntotal')
  const good = await save(page)
  await button(dialog(page), 'Go on').click()
  await write(page, 'total')
  const before = await sessions()

  await page.goto(`/console/snapshots?search=${foreign}`)
  const row = page.locator(`[data-id="${foreign}"]`)
  await row.getByText('Other runtime').waitFor()
  await row.getByRole('link', { name: 'Open in Workbench' }).click()
  await dialog(page).getByText('Cannot be loaded').waitFor()
  await dialog(page).getByText(/No worker has what .* needs: .*sparc/).waitFor()
  for (const name of ['Load session', 'Save current and load']) {
    assert.ok(await button(dialog(page), name).isDisabled(), name)
  }
  await look('workbench-other-runtime')
  await button(dialog(page), 'Cancel').click()

  // Asked for from a page that was drawn when there was a worker for it.
  const { body: found } = await api('GET', `/snapshots/${foreign}`)
  await page.route(`**/snapshots/${foreign}`, (route) =>
    route.fulfill({ json: { ...found, verdict: { restorable: true, reason: 'restorable', detail: 'It can be restored.' } } }),
  )
  await page.goto(`${WORKBENCH}?load=${foreign}`)
  await dialog(page).getByText('Can be loaded').waitFor()
  await button(dialog(page), 'Load session').click()
  await dialog(page).getByRole('alert').getByText(/No worker has what .*sparc/).waitFor()
  await dialog(page).getByText(/Your draft is as before, and the open session goes on/).waitFor()
  assert.deepEqual(await sessions(), before)
  await look('workbench-other-runtime-refused')

  await dialog(page).getByRole('list', { name: 'Other snapshots' }).getByRole('button', { name: good.slice(0, 8) }).click()
  await dialog(page).getByText('Can be loaded').waitFor()
  await button(dialog(page), 'Load session').click()
  await dialog(page).waitFor({ state: 'detached' })
  assert.equal((await editor(page).innerText()).trim(), 'total', 'the draft is as it was')
  assert.match(await (await execute(page, 'total')).innerText(), /\b42\b/)
  await endAll()
})

/** Whether it has the focus, and that is seen. */
const focused = (wanted) =>
  wanted.evaluateAll(([first]) => {
    let now = document.activeElement
    while (now?.shadowRoot?.activeElement) {
      now = now.shadowRoot.activeElement
    }
    return first !== undefined && now === first && first.matches(':focus-visible')
  })

/** Presses Tab, or Shift+Tab, until the focus is there. */
async function tabTo(page, wanted, key = 'Tab') {
  await wanted.waitFor()
  for (let i = 0; i < 60 && !(await focused(wanted)); i++) {
    await page.keyboard.press(key)
  }
  assert.ok(await focused(wanted), `${wanted} is reached by ${key}`)
}

async function enter(page, wanted, key) {
  await tabTo(page, wanted, key)
  await page.keyboard.press('Enter')
}

consoleTest('R60a by keyboard alone, from the sign-in to what comes of total', {}, async (page) => {
  await page.goto(WORKBENCH)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await tabTo(page, page.getByLabel('API key'))
  await page.keyboard.type(key)
  await page.keyboard.press('Enter')
  await editor(page).waitFor()

  await tabTo(page, editor(page))
  await page.keyboard.press('Control+Enter')
  await run(page, /total = 42/).getByText('Done', { exact: true }).waitFor()
  // The way out of an editor in which Tab indents.
  await page.keyboard.press('Escape')
  await enter(page, button(page, 'Save'), 'Shift+Tab')
  await enter(page, button(dialog(page), 'Save session'))
  await dialog(page).getByText(/Saved as/).waitFor()
  await enter(page, dialog(page).getByRole('link', { name: 'Show in Snapshots' }), 'Shift+Tab')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await enter(page, page.getByRole('link', { name: 'Open in Workbench' }))
  await dialog(page).getByText('Can be loaded').waitFor()
  await enter(page, button(dialog(page), 'Load session'))
  await dialog(page).waitFor({ state: 'detached' })

  await until(() => focused(editor(page)), true, 'the focus is in the editor')
  const before = await page.getByRole('article').count()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('total')
  await page.keyboard.press('Control+Enter')
  const last = page.getByRole('article').nth(before)
  await last.getByText('Done', { exact: true }).waitFor()
  assert.match(await last.innerText(), /\b42\b/)
  // What the editor still asks of the session is not to be asked of one that is over.
  await page.goto('about:blank')
  await endAll()
})
