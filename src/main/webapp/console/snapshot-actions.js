// What can be done with a snapshot, wherever it is shown; each asks first where something is lost.
import { html, nothing } from 'lit'
import { copy } from './copy.js'
import { ask, openDialog } from './dialog.js'
import { del, patch, post, put } from './http.js'
import { router } from './router.js'
import { me } from './me.js'
import { intoTrash, TRASH } from './snapshot-trash.js'
import { toast, toastProblem } from './toast.js'
import { bytes, called, count, exact, shortId } from './words.js'

const DAY = 86_400_000
const MOST_NAMED = 12

export const mayUse = () => me.can('sandboxes:use')
export const mayManage = () => me.can('sandboxes:manage')
export const mayDelete = (snapshot) => mayManage() && ['saved', 'awaitingCleanup'].includes(snapshot.status)

const address = (snapshot, ...more) => me.api('snapshots', snapshot.id, ...more)

export const sdkLine = {
  python: (id) => `sandbox = Sandbox.create("${id}")`,
  typescript: (id) => `const sandbox = await Sandbox.create('${id}')`,
}

/** The menu of what can be loaded. */
export function menu(page, snapshot) {
  return [
    mayUse() && { label: 'Open in Workbench', icon: 'workbench', href: `/console/workbench?load=${snapshot.id}` },
    { label: 'Details', icon: 'info', run: () => page.openPanel(snapshot.id) },
    { label: 'Lineage', icon: 'switch', run: () => router.change({ open: snapshot.id, section: 'lineage' }) },
    ...copying(snapshot),
    ...(mayManage()
      ? [
          '-',
          { label: 'Extend…', icon: 'waiting', run: () => extend(snapshot).then((done) => done && page.load()) },
          snapshot.pin
            ? { label: 'Unpin', icon: 'pin', run: () => unpin(snapshot).then((done) => done && page.load()) }
            : { label: 'Pin…', icon: 'pin', run: () => pin(snapshot).then((done) => done && page.load()) },
          { label: 'Note and labels…', icon: 'audit', run: () => annotate(snapshot).then((done) => done && page.load()) },
          '-',
          { label: 'Delete snapshot…', icon: 'trash', danger: true, run: () => page.deleteAll([snapshot]) },
        ]
      : []),
  ].filter(Boolean)
}

function copying(snapshot) {
  return [
    '-',
    { label: 'Copy ID', icon: 'copy', run: () => copy(snapshot.id, 'ID') },
    { label: 'Copy Python line', icon: 'copy', run: () => copy(sdkLine.python(snapshot.id), 'Python line') },
    { label: 'Copy TypeScript line', icon: 'copy', run: () => copy(sdkLine.typescript(snapshot.id), 'TypeScript line') },
  ]
}

/** Another end, counted from now or said. */
export function extend(snapshot) {
  let chosen = '7'
  let own = ''
  const until = () => (chosen === 'own' ? new Date(own) : new Date(Date.now() + Number(chosen) * DAY))
  return ask({
    title: html`Extend ${called(snapshot)}`,
    action: 'Extend',
    body: (dialog) => html`<p>It expires ${snapshot.expiresAt ? exact(snapshot.expiresAt) : 'when its pin is lifted'}. Keep it until:</p>
      <fieldset class="options"><legend class="visually-hidden">Keep it until</legend>
        ${[['1', 'A day from now'], ['7', '7 days from now'], ['30', '30 days from now'], ['own', 'Another moment']].map(
          ([value, label]) => html`<label class="row"><input type="radio" name="until" value=${value} .checked=${chosen === value}
            @change=${() => ((chosen = value), dialog.update())}>${label}${value === 'own' ? nothing : html`<span class="soft">${exact(Date.now() + Number(value) * DAY)}</span>`}</label>`,
        )}
        ${chosen === 'own'
          ? html`<label class="field"><span class="label">Moment</span><input class="input" type="datetime-local" required .value=${own} @input=${(event) => (own = event.target.value)}></label>`
          : nothing}
      </fieldset>`,
    act: async () => {
      if (chosen === 'own' && !own) {
        throw new Error('Choose a moment first.')
      }
      await patch(address(snapshot), { expiresAt: until().toISOString() })
      toast(`${called(snapshot)} is kept until ${exact(until())}`)
    },
  })
}

export function pin(snapshot) {
  let reason = ''
  return ask({
    title: html`Pin ${called(snapshot)}`,
    action: 'Pin snapshot',
    body: html`<p>A pinned snapshot neither expires nor can it be deleted until the pin is lifted.</p>
      <label class="field"><span class="label">Why it is kept</span>
        <input class="input" required autofocus maxlength="200" autocomplete="off" @input=${(event) => (reason = event.target.value)}></label>`,
    act: async () => {
      if (!reason.trim()) {
        throw new Error('Say why it is kept, for those who find it later.')
      }
      await put(address(snapshot, 'pin'), { reason: reason.trim() })
      toast(`${called(snapshot)} is pinned`)
    },
  })
}

export async function unpin(snapshot) {
  try {
    await del(address(snapshot, 'pin'))
    toast(`${called(snapshot)} is no longer pinned`)
    return true
  } catch (problem) {
    toastProblem(problem)
    return false
  }
}

/** Labels are written a line each, key=value. */
export function annotate(snapshot) {
  let note = snapshot.note ?? ''
  let lines = Object.entries(snapshot.labels).map(([key, value]) => `${key}=${value}`).join('\n')
  return ask({
    title: html`Note and labels of ${called(snapshot)}`,
    action: 'Save',
    body: html`<label class="field"><span class="label">Note</span>
        <textarea class="input" autofocus .value=${note} @input=${(event) => (note = event.target.value)}></textarea></label>
      <label class="field"><span class="label">Labels</span>
        <textarea class="input mono" spellcheck="false" .value=${lines} @input=${(event) => (lines = event.target.value)}></textarea>
        <span class="hint">One a line, as key=value</span></label>`,
    act: async () => {
      await patch(address(snapshot), { note: note.trim() || null, labels: change(snapshot.labels, read(lines)) })
      toast(`Note and labels of ${called(snapshot)} are saved`)
    },
  })
}

function read(lines) {
  const labels = {}
  for (const line of lines.split('\n').map((each) => each.trim()).filter(Boolean)) {
    const at = line.indexOf('=')
    if (at < 1) {
      throw new Error(`“${line}” is no label. Write key=value.`)
    }
    labels[line.slice(0, at).trim()] = line.slice(at + 1).trim()
  }
  return labels
}

/** As a merge patch: what is gone is null. */
const change = (before, after) => ({ ...Object.fromEntries(Object.keys(before).map((key) => [key, null])), ...after })

/** What cannot be opened: a capture under way is ended, what awaits its cleanup has it tried again. */
export async function discard(page, snapshot) {
  if (snapshot.status === 'uploads') {
    const done = await ask({
      title: 'Delete this upload',
      action: 'Delete upload',
      danger: true,
      body: html`<p>The capture of sandbox <span class="mono">${snapshot.sourceSandboxId}</span> is ended, and nothing is saved. The sandbox goes on as before.</p>`,
      act: () => post(me.api('operations', snapshot.uploadId, 'cancel')),
    })
    if (done) {
      toast('The upload is ended')
      page.load()
    }
  } else {
    page.deleteAll([snapshot])
  }
}

/**
 * Deletes after a look at what that meets; gives the outcome of each, or undefined when it was not wanted.
 * `trash`: for how many seconds what is deleted can be brought back.
 */
export async function remove(snapshots, trash) {
  const ids = snapshots.map((each) => each.id)
  let preview
  try {
    preview = await post(me.api('snapshots', 'delete'), { ids, preview: true })
  } catch (problem) {
    toastProblem(problem)
    return undefined
  }
  const many = count(ids.length, 'snapshot')
  return ask({
    title: ids.length === 1 ? html`Delete ${called(snapshots[0])}` : `Delete ${many}`,
    action: `Delete ${ids.length === 1 ? 'snapshot' : many}`,
    danger: true,
    body: review(snapshots, preview, trash),
    act: () => post(me.api('snapshots', 'delete'), { ids }),
  })
}

function review(snapshots, preview, trash) {
  const named = snapshots.filter((each) => each.names.length)
  const guarded = snapshots.filter((each) => each.pin || each.hold)
  const gone = snapshots.filter((each) => each.status === 'awaitingCleanup').length
  const known = new Map(snapshots.map((each) => [each.id, each]))
  return html`<p>${count(preview.count, 'snapshot')}, ${bytes(preview.bytes)} stored. ${trash
    ? intoTrash(trash)
    : html`Names are free at once; storage falls when the stored objects are removed, until then it shows as <em>Cleanup pending</em>.`}</p>
    ${named.length ? listed(count(named.length, 'has a name', 'have names'), named.map(called)) : nothing}
    ${preview.occupied.length
      ? listed(
          html`<strong>${count(preview.occupied.length, 'is in use and stays', 'are in use and stay')}</strong>, because sandboxes live from ${preview.occupied.length === 1 ? 'it' : 'them'}`,
          preview.occupied.map((each) => html`${known.has(each.id) ? called(known.get(each.id)) : shortId(each.id)}: ${each.occupants.map((one) => html`<span class="mono">${one}</span> `)}`),
          'waiting',
        )
      : nothing}
    ${preview.guarded
      ? listed(
          html`<strong>${count(preview.guarded, 'is pinned or held and stays', 'are pinned or held and stay')}</strong>`,
          guarded.map((each) => html`${called(each)}: ${(each.hold ?? each.pin).reason}`),
          'waiting',
        )
      : nothing}
    ${gone ? html`<p class="soft">${count(gone, 'has been deleted or has expired already; its cleanup is', 'have been deleted or have expired already; their cleanup is')} tried again now.</p>` : nothing}`
}

function listed(caption, lines, meaning = '') {
  const shown = lines.slice(0, MOST_NAMED)
  return html`<div class="notice ${meaning}"><div class="grow"><p>${caption}${shown.length ? ':' : '.'}</p>
    <ul class="plain">${shown.map((each) => html`<li>${each}</li>`)}${lines.length > shown.length ? html`<li class="soft">and ${lines.length - shown.length} more</li>` : nothing}</ul></div></div>`
}

/** What came of it; more than one gets a list of its own. With a `trash` there is a way to it. */
export function tell(outcome, trash) {
  const again = outcome.items.filter((each) => each.outcome === 'awaitingCleanup').length
  const parts = [
    outcome.deleted && `${count(outcome.deleted, 'snapshot')} deleted`,
    again && `the cleanup of ${count(again, 'snapshot')} is tried again`,
    outcome.failed.length && `${count(outcome.failed.length, 'snapshot')} could not be deleted`,
  ].filter(Boolean)
  const text = parts.join(', ') || 'Nothing was left to delete'
  if (outcome.failed.length && outcome.items.length > 1) {
    const failed = (each) => outcome.failed.includes(each.id)
    openDialog(() => ({
      title: 'What came of it',
      body: html`<p>${text}.</p><ul class="results">${[...outcome.items].sort((a, b) => failed(b) - failed(a)).map(
        (each) => html`<li><span class="mono" title=${each.id}>${shortId(each.id)}</span><span class="grow">${OUTCOMES[each.outcome]}${each.detail && failed(each) ? html`<br> <span class="soft">${each.detail}</span>` : nothing}</span></li>`,
      )}</ul><p class="soft">What failed stays ticked in the list, so that you can retry only that.</p>`,
    }))
  } else {
    toast(text.charAt(0).toUpperCase() + text.slice(1), {
      failed: outcome.failed.length > 0,
      action: trash && outcome.deleted ? { label: 'Show trash', run: () => router.go(TRASH) } : undefined,
    })
  }
}

const OUTCOMES = {
  deleted: 'Deleted',
  awaitingCleanup: 'Was deleted before; cleanup tried again',
  notFound: 'Was gone already',
  occupied: 'In use',
  pinned: 'Pinned',
  held: 'Held',
  notSaved: 'Not saved',
  failed: 'Failed',
  notAttempted: 'Not attempted',
}
