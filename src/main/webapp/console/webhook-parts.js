// How a webhook is shown, and what can be done with one.
import { html, nothing } from 'lit'
import { ask } from './dialog.js'
import { eventWords } from './event-words.js'
import { del, patch, post } from './http.js'
import { toast, toastProblem } from './toast.js'
import { address, changeWebhook, host, showSecret } from './webhook-form.js'
import { count, icon, when } from './words.js'

const MOST_NAMED = 3

/** Active, or failing since when, or disabled and why. */
export function state(webhook) {
  if (webhook.state === 'disabled') {
    return html`<span class="badge failed">${icon('close')}Disabled</span><br> <span class="soft small">${webhook.disabledReason}</span>`
  }
  return webhook.failingSince
    ? html`<span class="badge waiting">${icon('waiting')}Failing</span><br> <span class="soft small">since ${when(webhook.failingSince)}</span>`
    : html`<span class="badge saved">${icon('done')}Active</span>`
}

export function told({ types }) {
  if (!types.length) {
    return 'Everything'
  }
  const rest = types.length - MOST_NAMED
  return html`<span title=${types.join(', ')}>${types.slice(0, MOST_NAMED).map((each, i) => (i ? `; ${eventWords(each).toLowerCase()}` : eventWords(each)))}${rest > 0 ? ` and ${rest} more` : ''}</span>`
}

/** The same for one in the list and on its page. */
export function menu(webhook, again, gone) {
  const then = (done) => done && again()
  return [
    { label: 'Change…', icon: 'webhooks', run: () => changeWebhook(webhook).then(then) },
    { label: 'Replay…', icon: 'play', run: () => replaySince(webhook).then(then) },
    { label: 'Rotate secret…', icon: 'keys', run: () => rotate(webhook).then(then) },
    webhook.state === 'disabled'
      ? { label: 'Enable', icon: 'check', run: () => enable(webhook).then(then) }
      : { label: 'Disable…', icon: 'close', run: () => disable(webhook).then(then) },
    '-',
    { label: 'Delete webhook…', icon: 'trash', danger: true, run: () => remove(webhook).then((done) => done && gone()) },
  ]
}

export async function rotate(webhook) {
  const done = await ask({
    title: 'Rotate the secret',
    action: 'Make another secret',
    body: html`<p>The webhook to <strong>${host(webhook)}</strong> gets another secret, which is shown once. For a day both sign every delivery, so the receiver can change over without missing one.</p>`,
    act: () => post(address(webhook, 'rotate')),
  })
  if (done) {
    await showSecret(done, html`New secret of ${host(webhook)}`)
  }
  return done
}

export function enable(webhook) {
  return set(webhook, true, 'The webhook is enabled; what happened meanwhile is on its way')
}

async function disable(webhook) {
  return ask({
    title: html`Disable the webhook to ${host(webhook)}`,
    action: 'Disable',
    body: html`<p>Nothing is sent until it is enabled again. What happens meanwhile is sent then, as far as it is still kept.</p>`,
    act: () => patch(address(webhook), { enabled: false }),
  }).then((done) => done && (toast('The webhook is disabled'), done))
}

async function set(webhook, enabled, words) {
  try {
    const changed = await patch(address(webhook), { enabled })
    toast(words)
    return changed
  } catch (problem) {
    toastProblem(problem)
    return undefined
  }
}

export async function remove(webhook) {
  const done = await ask({
    title: html`Delete the webhook to ${host(webhook)}`,
    action: 'Delete webhook',
    danger: true,
    body: html`<p>It is told nothing more, and the log of its deliveries is gone with it. To stop it for a while, disable it instead.</p>`,
    act: () => del(address(webhook)),
  })
  return done && (toast('The webhook is deleted'), done)
}

const SPANS = [
  ['1', 'The last hour'],
  ['24', 'The last 24 hours'],
  ['168', 'The last 7 days'],
  ['own', 'Since another moment'],
]

/** All since then once more; gives how many. */
export async function replaySince(webhook) {
  let chosen = '1'
  let own = ''
  const done = await ask({
    title: 'Replay deliveries',
    action: 'Send once more',
    body: (dialog) => html`<p>Everything that happened since then is sent once more to <strong>${host(webhook)}</strong>, delivered or not, under the same IDs, so that a receiver knows what it has already.</p>
      <div class="field"><label for="replay-span">Since</label><select class="select" id="replay-span" autofocus .value=${chosen} @change=${(event) => ((chosen = event.target.value), dialog.update())}>
        ${SPANS.map(([word, label]) => html`<option value=${word} ?selected=${word === chosen}>${label}</option>`)}</select></div>
      ${chosen === 'own'
        ? html`<div class="field"><label for="replay-own">Moment</label><input class="input" id="replay-own" type="datetime-local" .value=${own} @input=${(event) => (own = event.target.value)}></div>`
        : nothing}
      ${webhook.state === 'disabled' ? html`<div class="notice waiting">${icon('waiting')}<p>It is disabled: they are sent when it is enabled again.</p></div>` : nothing}`,
    act: () => {
      if (chosen === 'own' && !own) {
        throw new Error('Choose the moment from which on to send.')
      }
      const since = chosen === 'own' ? new Date(own) : new Date(Date.now() - Number(chosen) * 3_600_000)
      return post(address(webhook, 'replay'), { since: since.toISOString() })
    },
  })
  return done && (toast(done.deliveries ? `${count(done.deliveries, 'delivery is on its', 'deliveries are on their')} way once more` : 'Nothing happened since then that it is told'), done)
}

export async function replayOne(webhook, delivery) {
  try {
    await post(address(webhook, 'deliveries', delivery.id, 'replay'))
    toast(`${delivery.type} is on its way once more`)
    return true
  } catch (problem) {
    toastProblem(problem)
    return false
  }
}
