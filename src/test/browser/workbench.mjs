// What tests do in the Workbench, and beside it with the native API.
import { api as call } from './console.mjs'

export const WORKBENCH = '/console/workbench'

export const editor = (page) => page.getByRole('textbox', { name: 'Code' })
export const dialog = (page) => page.getByRole('dialog')
export const button = (where, name) => where.getByRole('button', { name, exact: true })
export const run = (page, code) => page.getByRole('article', { name: code }).last()

/** Puts another draft in place of the one there is. */
export async function write(page, text) {
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}

/** Runs a draft by its keys and waits for how it ends; gives its block. */
export async function execute(page, text, end = 'Done') {
  const before = await page.getByRole('article').count()
  await write(page, text)
  await page.keyboard.press('Control+Enter')
  const block = page.getByRole('article').nth(before)
  await block.getByText(end, { exact: true }).waitFor()
  return block
}

/** Saves by the dialog, which stays open; gives the snapshot's ID. */
export async function save(page) {
  await button(page, 'Save').click()
  await button(dialog(page), 'Save session').click()
  await dialog(page).getByText(/Saved as/).waitFor()
  const link = await dialog(page).getByRole('link', { name: 'Show in Snapshots' }).getAttribute('href')
  return link.split('/').pop()
}

/** Loads a snapshot by the dialog. */
export async function load(page, snapshot) {
  await page.goto(`${WORKBENCH}?load=${snapshot}`)
  await dialog(page).getByText('Can be loaded').waitFor()
  await button(dialog(page), 'Load session').click()
  await dialog(page).waitFor({ state: 'detached' })
}

/** The native API of a project, as programs use it, and its sessions by it. */
export function ofProject(key, project) {
  const api = (method, path, body) => call(key, method, `/projects/${project}${path}`, body)
  const sessions = async () => (await api('GET', '/sessions')).body.sessions.map((each) => each.id)
  const endAll = async () => {
    for (const id of await sessions()) {
      await api('DELETE', `/sessions/${id}`)
    }
  }
  return { api, sessions, endAll }
}
