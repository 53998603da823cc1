// WildFly's own management console, as an operator finds jobs, executions, queues and pools in it.
import assert from 'node:assert/strict'
import { browserTest } from './browser.mjs'

const { HOLDFAST_MANAGEMENT, HOLDFAST_MANAGEMENT_USER, HOLDFAST_MANAGEMENT_PASSWORD } = process.env

const HOME = `${HOLDFAST_MANAGEMENT}/console/index.html`
const JOB = 'purge-tombstones'

const options = {
  name: 'management',
  httpCredentials: { username: HOLDFAST_MANAGEMENT_USER, password: HOLDFAST_MANAGEMENT_PASSWORD },
  // Not ours: it looks for a Keycloak that nobody set up, and for news and updates outside.
  expected: [/Failed to load resource/, /Keycloak/],
}

/** The columns of "Runtime", the one server and then one item after the other; gives the last. */
async function open(page, ...items) {
  await page.getByRole('link', { name: 'Runtime', exact: true }).first().click()
  let item = page.locator('.finder-column li[id^="standalone-host-"]')
  await item.click()
  for (const id of items) {
    item = page.locator(`.finder-column li[id="${id}"]`)
    await item.click()
  }
  return item
}

/** The IDs of all executions of a job, asked of the server itself and past the console. */
const executions = (page) => page.evaluate(async (job) => {
  const answer = await fetch('/management', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      operation: 'read-children-names',
      'child-type': 'execution',
      address: [{ deployment: 'holdfast.war' }, { subsystem: 'batch-jberet' }, { job }],
    }),
  })
  return (await answer.json()).result
}, JOB)

browserTest('the management console shows jobs, an execution and the queues', options, async (page, shot) => {
  // Nothing leaves this machine.
  await page.route((url) => url.origin !== HOLDFAST_MANAGEMENT, (route) => route.abort())
  await page.goto(HOME)
  await page.getByText(HOLDFAST_MANAGEMENT_USER).first().waitFor()

  const job = await open(page, 'batch-jberet', `job-holdfastwar-${JOB}`)
  const jobs = await page.locator('.finder-column li[id^="job-holdfastwar-"]').count()
  assert.ok(jobs >= 10, `only ${jobs} jobs`)
  await shot('jobs')
  await job.locator('a.btn-finder', { hasText: 'View' }).click()
  await page.getByText('Batch Status: COMPLETED').first().waitFor()
  await shot('execution')

  await page.goto(HOME)
  await open(page, 'messaging-activemq', 'server-item-runtime', 'msgs-default')
  await page.locator('#default-jms-queue-dlq').waitFor()
  await page.locator('#default-jms-queue-holdfastcapture').click()
  await page.getByText('Messages Added').first().waitFor()
  await shot('queue')
})

browserTest('the management console starts a job by its menu', options, async (page, shot) => {
  await page.route((url) => url.origin !== HOLDFAST_MANAGEMENT, (route) => route.abort())
  await page.goto(HOME)
  await page.getByText(HOLDFAST_MANAGEMENT_USER).first().waitFor()
  const before = await executions(page)
  const job = await open(page, 'batch-jberet', `job-holdfastwar-${JOB}`)

  await job.locator('button.dropdown-toggle').click()
  await job.locator('.dropdown-menu a', { hasText: /^Start$/ }).click()
  const dialog = page.locator('.modal-content:visible')
  await dialog.getByText('Start Job').waitFor()
  await shot('start')
  await dialog.locator('.modal-footer button', { hasText: /^Start$/ }).click()

  let started
  for (const end = Date.now() + 30_000; !started && Date.now() < end; await page.waitForTimeout(200)) {
    started = (await executions(page)).find((id) => !before.includes(id))
  }
  assert.ok(started, `nothing but ${before}`)
})

browserTest('the management console shows the pools of both data sources', options, async (page, shot) => {
  await page.route((url) => url.origin !== HOLDFAST_MANAGEMENT, (route) => route.abort())
  await page.goto(HOME)
  const source = await open(page, 'datasources', 'xa-dsr-holdfastds')
  await page.locator('.finder-column li[id="non-xa-dsr-holdfastnonxads"]').waitFor()
  await source.locator('a.btn-finder', { hasText: 'View' }).click()
  await page.locator('label:visible', { hasText: /^ActiveCount$/ }).first().waitFor()
  await shot('pool')
})
