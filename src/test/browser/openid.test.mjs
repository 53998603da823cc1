// Signing in at an OpenID provider, against a real server and a real provider.
import assert from 'node:assert/strict'
import { consoleTest, given, until } from './console.mjs'

const { other } = given
const PROVIDER = process.env.HOLDFAST_PROVIDER
const WITH = 'Sign in with Example accounts'

/** At the provider: who one is. */
async function introduce(page, login) {
  await page.getByRole('heading', { name: 'Example accounts' }).waitFor()
  assert.equal(new URL(page.url()).origin, PROVIDER)
  await page.getByLabel('Name').fill(login)
  await page.getByRole('button', { name: 'Continue' }).click()
}

consoleTest('R7 R8 R9 a person signs in at the provider, finds the page that was wanted, and may what their roles give', {}, async (page, { context, look }) => {
  await page.goto('/console/snapshots?status=saved')
  const button = page.getByRole('link', { name: WITH })
  await button.waitFor()
  assert.equal(await page.getByLabel('API key').count(), 1, 'a key is another way')
  await look('sign-in-openid')
  await button.click()
  await introduce(page, 'ann-1')

  await page.getByRole('heading', { name: 'Snapshots', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/console/snapshots?status=saved')
  const session = (await context.cookies()).find((each) => each.name === 'holdfast-session')
  assert.ok(session.httpOnly && session.sameSite === 'Strict', JSON.stringify(session))
  assert.ok(!(await page.evaluate(() => document.cookie)).includes('holdfast'))

  const switcher = page.getByRole('button', { name: /Project Claims/ })
  await switcher.getByText('Ann Example').waitFor()
  await page.getByRole('link', { name: 'Keys', exact: true }).waitFor()
  await switcher.click()
  await page.getByRole('menu').getByText('Signed in as Ann Example').waitFor()
  await page.getByRole('menu').getByText('ann-1').waitFor()
  await look('switcher-openid')
  // In the other project they only read, and the choice outlives a load.
  await page.getByRole('menuitemradio', { name: new RegExp(other.slug) }).click()
  await page.getByRole('button', { name: /Project Pricing/ }).waitFor()
  await until(() => page.getByRole('link', { name: 'Keys', exact: true }).count(), 0)
  await page.reload()
  await page.getByRole('button', { name: /Project Pricing/ }).waitFor()
  await page.goto('/console/keys')
  await page.getByText('You have no access to this page').waitFor()
  await page.getByText('sign in as somebody else').first().waitFor()
})

consoleTest('R60 the audit calls a person by their name, and signing out is said at the provider', {}, async (page, { context }) => {
  await page.goto('/console/audit')
  await page.getByRole('link', { name: WITH }).click()
  await introduce(page, 'ann-1')
  const row = page.getByRole('table', { name: 'Audit' }).getByRole('row').filter({ hasText: 'Sign in' }).first()
  await row.getByText('Ann Example').waitFor()

  await page.getByRole('button', { name: /Project Claims/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await page.getByRole('link', { name: WITH }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/console/')
  assert.equal((await context.cookies()).filter((each) => each.name === 'holdfast-session').length, 0)
  // There too: it asks again who one is.
  await page.getByRole('link', { name: WITH }).click()
  await page.getByLabel('Name').waitFor()
})

consoleTest('R8 who has no role is told what it takes, and may come as somebody else', { expected: [/status of 403/] }, async (page, { look }) => {
  await page.goto('/console/')
  await page.getByRole('link', { name: WITH }).click()
  await introduce(page, 'eve-1')
  await page.getByRole('heading', { name: 'You have no access' }).waitFor()
  await page.getByText('of your ID token holds: staff').waitFor()
  await look('openid-no-access')
  await page.getByRole('link', { name: 'Sign in as somebody else' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await page.getByRole('link', { name: WITH }).click()
  await introduce(page, 'ann-1')
  await page.getByRole('button', { name: /Project Claims/ }).waitFor()
})
