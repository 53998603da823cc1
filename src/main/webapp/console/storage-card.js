// The summary of what the project stores: the card in the head of a page, and what it opens.
import { html, nothing } from 'lit'
import { openDialog } from './dialog.js'
import { Page } from './page.js'
import { bytes, count, icon, number } from './words.js'

export const percent = (used, limit) => (limit > 0 ? Math.min(100, Math.floor((100 * used) / limit)) : 100)

class StorageCard extends Page {
  static properties = { storage: { attribute: false } }

  updated() {
    this.querySelectorAll('.meter > span').forEach((each) => (each.style.width = `${each.dataset.percent}%`))
  }

  render() {
    const { storage } = this
    if (!storage) {
      return html`<div class="storage-card card" aria-hidden="true"></div>`
    }
    const warning = storage.warnings.filter((each) => each.what !== 'liveSandboxes')
    const over = warning.some((each) => each.over || each.percent >= 100)
    const meaning = over ? 'failed' : warning.length ? 'waiting' : ''
    const used = percent(storage.used.bytes, storage.limit.bytes)
    return html`<button class="storage-card card ${meaning}" aria-haspopup="dialog" @click=${() => this.#open()}>
      <span class="row"><span class="soft">Project storage</span><span class="grow"></span>${warning.length
        ? html`<span class="warn">${icon('failed')}${Math.max(...warning.map((each) => each.percent))} % used</span>`
        : nothing}</span>
      <span class="row figures"><strong>${bytes(storage.used.bytes)}</strong> of ${bytes(storage.limit.bytes)}<span class="grow"></span><span><strong>${number(storage.used.snapshots)}</strong> of ${count(storage.limit.snapshots, 'snapshot')}</span></span>
      <span class="meter ${meaning}"><span data-percent=${used}></span></span>
    </button>`
  }

  #open() {
    const { storage } = this
    openDialog((dialog) => ({
      title: 'Project storage',
      body: html`${limits(storage)} ${split(storage)} ${pending(storage)}`,
      actions: html`<button class="button" @click=${() => dialog.close()}>Close</button>
        <a class="button primary" href="/console/storage" @click=${() => dialog.close()}>Open Storage</a>`,
    }))
  }
}

/** Two numbers where the service has set another limit than the plan has. */
function limits({ plan, serviceLimit, limit, used }) {
  const row = (label, allowance, note) => html`<tr><th scope="row">${label}</th><td>${bytes(allowance.bytes)}</td><td>${number(allowance.snapshots)}</td><td class="soft">${note}</td></tr>`
  const differs = serviceLimit && (serviceLimit.bytes !== plan.bytes || serviceLimit.snapshots !== plan.snapshots)
  return html`<table class="figures-table"><thead><tr><td></td><th scope="col">Bytes</th><th scope="col">Snapshots</th><td></td></tr></thead><tbody>
    ${row('Used', used, `${percent(used.bytes, limit.bytes)} % of the bytes`)}
    ${row('Plan allowance', plan, differs ? '' : 'enforced')}
    ${differs ? row('Service limit', serviceLimit, 'enforced instead') : nothing}
  </tbody></table>`
}

function split({ saved, uploads, paused, trash, awaitingCleanup }) {
  const rows = [
    ['Saved', saved],
    ['Uploads, reserved', uploads],
    ['Paused sandboxes', paused],
    ['In the trash', trash],
    ['Cleanup pending', awaitingCleanup],
  ].filter(([label, share]) => share.count > 0 || label === 'Saved')
  return html`<table class="figures-table"><thead><tr><th scope="col">What counts</th><th scope="col">Bytes</th><th scope="col">Count</th></tr></thead><tbody>
    ${rows.map(([label, share]) => html`<tr><th scope="row">${label}</th><td>${bytes(share.bytes)}</td><td>${number(share.count)}</td></tr>`)}
  </tbody></table>`
}

function pending({ awaitingCleanup }) {
  return awaitingCleanup.count
    ? html`<div class="notice waiting">${icon('waiting')}<p>${bytes(awaitingCleanup.bytes)} of deleted and expired snapshots still count, until their objects are removed (<em>Cleanup pending</em>).${awaitingCleanup.failing
        ? html` ${count(awaitingCleanup.failing, 'cleanup')} failed and ${awaitingCleanup.failing === 1 ? 'is' : 'are'} tried again: ${awaitingCleanup.lastError}`
        : nothing}</p></div>`
    : nothing
}

customElements.define('hf-storage-card', StorageCard)
