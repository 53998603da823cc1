// One project, people in the Workbench and programs on the published packages: each goes on with what the others saved.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { consoleTest, given } from './console.mjs'
import { button, dialog, execute, load, save, WORKBENCH } from './workbench.mjs'

const { team, packages } = given
const LANGUAGES = ['javascript', 'python']
const PATIENCE = 180_000

/** `save TOTAL` gives a snapshot's ID, `load ID` the total. */
async function program(language, ...what) {
  const { place, command } = packages[language]
  const [file, ...before] = command
  const env = { ...process.env, ...packages.environment }
  // It is no test of this runner.
  delete env.NODE_TEST_CONTEXT
  const { stdout } = await promisify(execFile)(file, [...before, ...what], { cwd: place, env, timeout: PATIENCE })
  return stdout.trim().split('\n').pop()
}

consoleTest('R60a R1 R11 R12 saved in the Workbench, loaded by the packages of both languages, and back', { key: team.manager }, async (page) => {
  await page.goto(WORKBENCH)
  assert.match(await (await execute(page, 'total = 42\ntotal')).innerText(), /\b42\b/)
  const kept = await save(page)
  await button(dialog(page), 'Go on').click()
  for (const language of LANGUAGES) {
    assert.equal(await program(language, 'load', kept), '42', `${language} loads what the Workbench saved`)
  }

  for (const language of LANGUAGES) {
    const snapshot = await program(language, 'save', '42')
    await page.goto(`/console/snapshots?search=${snapshot}`)
    await page.locator(`[data-id="${snapshot}"]`).getByText('Saved').waitFor()
    await load(page, snapshot)
    assert.match(await (await execute(page, 'total')).innerText(), /\b42\b/, `the Workbench loads what ${language} saved`)
  }
})
