// The figures of the Storage page: limits and what is used of them, and what makes up the sum.
import { html, nothing } from 'lit'
import { TRASH } from './snapshot-trash.js'
import { percent } from './storage-card.js'
import { bytes, count, icon, number, when } from './words.js'

const WARNING = 80

/** Each kind that counts, with the word of its colour and why it counts. */
const SHARES = [
  ['saved', 'Saved', 'Snapshots that can be loaded'],
  ['uploads', 'Uploads', 'Reserved for captures under way'],
  ['paused', 'Paused sandboxes', 'Their states; they are no snapshots'],
  ['trash', 'In the trash', 'Can still be brought back'],
  ['awaitingCleanup', 'Awaiting cleanup', 'Deleted or expired; charged until the objects are gone'],
]

export function summary(storage) {
  const { used, limit, plan, serviceLimit, awaitingCleanup, expired } = storage
  const differs = serviceLimit && ['bytes', 'snapshots', 'liveSandboxes'].some((each) => serviceLimit[each] !== undefined && serviceLimit[each] !== plan[each])
  return html`
    ${gauge('stored', used.bytes, limit.bytes, bytes)}
    ${gauge('snapshots', used.snapshots, limit.snapshots, number)}
    ${limit.liveSandboxes ? gauge('live sandboxes', used.liveSandboxes, limit.liveSandboxes, number) : nothing}
    <table class="figures-table" aria-label="Limits"><thead><tr><td></td><th scope="col">Bytes</th><th scope="col">Snapshots</th><th scope="col">Sandboxes</th></tr></thead><tbody>
      ${allowance('Plan allowance', plan, differs ? '' : 'enforced')}
      ${differs ? allowance('Service limit', { ...plan, ...serviceLimit }, 'enforced instead') : nothing}
    </tbody></table>
    ${storage.over
      ? html`<div class="notice failed" role="status">${icon('failed')}<p>More is stored than is allowed. Nothing is removed for that, and nothing new is admitted until enough is deleted and cleaned up, or the limit is raised.</p></div>`
      : nothing}
    ${awaitingCleanup.count ? pending(awaitingCleanup) : nothing}
    ${expired.count || expired.occupied ? freed(expired) : nothing}`
}

function allowance(label, { bytes: most, snapshots, liveSandboxes }, note) {
  return html`<tr><th scope="row">${label}${note ? html` <span class="soft small">${note}</span>` : nothing}</th><td>${bytes(most)}</td><td>${number(snapshots)}</td><td>${liveSandboxes === undefined ? '–' : number(liveSandboxes)}</td></tr>`
}

/** Used of a limit; the colour of a warning stands with its words. */
function gauge(label, used, limit, words) {
  const share = percent(used, limit)
  const meaning = used >= limit ? 'failed' : share >= WARNING ? 'waiting' : ''
  return html`<div class="gauge ${meaning}">
    <p class="row"><span class="grow"><strong>${words(used)}</strong> of ${words(limit)} ${label}</span>
      ${meaning ? html`<span class="warn">${icon('failed')}${share} % used</span>` : html`<span class="soft">${share} %</span>`}</p>
    <progress class="meter ${meaning}" aria-label="${words(used)} of ${words(limit)} ${label}" max="100" value=${share}></progress>
  </div>`
}

export function shares(storage) {
  const { used } = storage
  return html`<table class="plain-table shares" aria-label="What counts"><thead><tr><th scope="col">Kind</th><th scope="col" class="end">Bytes</th><th scope="col" class="end">Count</th><td></td></tr></thead>
    <tbody>${SHARES.map(([kind, label, why]) => {
      const share = storage[kind]
      return html`<tr class=${share.count ? '' : 'empty'}><th scope="row"><span class="swatch ${kind}" aria-hidden="true"></span>${label}<span class="why">${why}${kind === 'trash' && share.count ? html`. <a href=${TRASH}>Show</a>` : nothing}</span></th>
        <td class="end">${bytes(share.bytes)}</td><td class="end">${number(share.count)}</td>
        <td class="bar">${used.bytes ? html`<progress class="meter ${kind}" aria-hidden="true" max="100" value=${percent(share.bytes, used.bytes)}></progress>` : nothing}</td></tr>`
    })}</tbody>
    <tfoot><tr><th scope="row">Together</th><td class="end"><strong>${bytes(used.bytes)}</strong></td><td class="end"></td><td></td></tr></tfoot></table>`
}

function pending({ bytes: size, count: many, failing, lastError, nextAttemptAt }) {
  return html`<div class="notice waiting">${icon('waiting')}<p>${count(many, 'snapshot')} with ${bytes(size)} ${many === 1 ? 'is' : 'are'} deleted or expired and still charged: <em>Cleanup pending</em> until the stored objects are gone.${failing
    ? html` ${count(failing, 'cleanup')} failed so far: ${lastError} ${nextAttemptAt ? html`Next attempt ${when(nextAttemptAt)}.` : nothing}`
    : nothing} <a href="/console/snapshots?status=awaitingCleanup">Show</a></p></div>`
}

function freed({ bytes: size, count: many, occupied }) {
  return html`<div class="notice">${icon('info')}<p>${many ? html`Deleting ${count(many, 'expired snapshot')} would free <strong>${bytes(size)}</strong>. ` : nothing}${occupied
    ? html`${count(occupied, 'expired snapshot')} ${occupied === 1 ? 'stays' : 'stay'} until the sandboxes made from ${occupied === 1 ? 'it' : 'them'} have ended. `
    : nothing}<a href="/console/snapshots?status=awaitingCleanup">Show</a></p></div>`
}
