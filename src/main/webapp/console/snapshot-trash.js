// The trash of a project that keeps one: what was deleted or has expired is brought back from it, or purged before its time.
import { html, nothing } from 'lit'
import { ask } from './dialog.js'
import { del, get, post } from './http.js'
import { me } from './me.js'
import { toast, toastProblem } from './toast.js'
import { bytes, called, count, duration, shortId } from './words.js'

/** Where it is seen. */
export const TRASH = '/console/snapshots?status=trashed'

/** What a snapshot in the trash offers, for those who may. `page.load` reads anew what shows it. */
export function trashControls(page, snapshot) {
  const name = called(snapshot)
  return html`<button class="button small" aria-label="Bring back ${name}" @click=${() => bringBack(page, snapshot)}>Bring back</button>
    <button class="button small danger" aria-label="Purge now: ${name}" @click=${() => purge(page, snapshot)}>Purge now</button>`
}

async function bringBack(page, snapshot) {
  try {
    const back = await post(me.api('trash', snapshot.id, 'bring-back'))
    const taken = snapshot.formerName && !back.names.length
    toast(taken ? html`${shortId(back.id)} is back without its name: another snapshot is <span class="mono">${snapshot.formerName}</span> by now` : `${called(back)} is back`)
  } catch (problem) {
    toastProblem(problem)
  }
  page.load()
}

async function purge(page, snapshot) {
  const done = await ask({
    title: html`Purge ${called(snapshot)}`,
    action: 'Purge now',
    danger: true,
    body: html`<p>It cannot be brought back then. Its ${bytes(snapshot.storedBytes)} count until its stored objects are removed (<em>Cleanup pending</em>).</p>`,
    act: () => del(me.api('trash', snapshot.id)),
  })
  if (done) {
    toast(`${called(snapshot)} is purged`)
    page.load()
  }
}

async function emptyTrash(page) {
  // As it is now, which is what goes.
  const share = (await get(me.api('storage')).catch(() => null))?.trash
  const purged = await ask({
    title: 'Empty the trash',
    action: 'Empty trash',
    danger: true,
    body: html`<p>${share ? html`<strong>${count(share.count, 'snapshot')}</strong> with ${bytes(share.bytes)}` : 'All'} in the trash of project <strong>${me.project.name}</strong>
      can no longer be brought back then, those on other pages included. They count until their stored objects are removed (<em>Cleanup pending</em>).</p>`,
    act: () => del(me.api('trash')),
  })
  if (purged) {
    toast(`${count(purged.snapshots, 'snapshot')} purged`)
    page.load()
  }
}

/** What the trash is, above what lies in it. */
export function trashBand(page) {
  return html`<div class="selection" role="group" aria-label="Trash">
    <p class="grow soft">What lies here can be brought back until it is gone. It counts toward the limits, and its name is free.</p>
    ${me.can('sandboxes:manage') ? html`<button class="button danger small" @click=${() => emptyTrash(page)}>Empty trash</button>` : nothing}
  </div>`
}

/** Of a review: what becomes of what is deleted in a project with a trash. */
export const intoTrash = (seconds) =>
  html`What is deleted lies in the trash for ${duration(seconds)} and can be brought back from there. Names are free at once; storage counts until it is gone for good.`
