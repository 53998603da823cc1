// What is said above the panes of a session that is not as one would have it.
import { html, nothing } from 'lit'
import { icon, shortId } from './words.js'
import { USUAL } from './workbench-session.js'

/** Why a session has ended, and what to do next. */
const ENDS = {
  timeout: 'Its time was over.',
  idle: 'Nobody used it for as long as its profile allows.',
  'out of memory': 'It used up its memory.',
  'worker lost': 'The machine it ran on was lost.',
  'worker stopped': 'The machine it ran on was stopped.',
  killed: 'Somebody ended it.',
}

/** `load` opens the dialog in which a snapshot is chosen. */
export function bannerView(session, load) {
  const { kind, problem, again, reason, detail, id, taken } = session.banner ?? {}
  const away = () => session.set({ banner: null })
  switch (kind) {
    case 'ended':
      return notice('failed', html`<strong>The session has ended.</strong> ${ENDS[reason] ?? (reason ? `Reason: ${reason}.` : 'It is not there any more.')} ${detail ? `(${detail})` : ''}
        The draft, the history and the output are still here. Start a new session, or load the last one you saved.`,
        html`<button class="button small primary" @click=${() => session.openFrom(USUAL)}>Start a new session</button><button class="button small" @click=${load}>Load a snapshot</button>`)
    case 'elsewhere':
      return notice('waiting', html`<strong>Another tab has session <span class="mono">${shortId(id)}</span> open.</strong> ${taken ? 'It was taken over there; nothing runs from here any more.' : 'One tab has it at a time.'}`,
        html`<button class="button small" @click=${() => session.attach(id, { take: true })}>Take over here</button><button class="button small quiet" @click=${away}>Leave it there</button>`)
    case 'stranger':
      return notice('progress', html`<strong>Code runs in the session</strong> whose output this page does not follow: it was begun by a former visit, or the connection broke off.`,
        html`<button class="button small" @click=${() => session.interrupt()}>Interrupt</button>`)
    case 'refused':
      return notice('failed', html`${problem.message}${problem.requestId ? html` <span class="request">Request <span class="mono">${problem.requestId}</span></span>` : nothing}`,
        html`<button class="button small" @click=${again}>Try again</button><button class="button small quiet" @click=${away}>Dismiss</button>`)
    default:
      return session.open?.state === 'paused'
        ? notice('waiting', html`<strong>The session is paused.</strong> Its state is kept as it was; its time does not run.`,
            html`<button class="button small primary" @click=${() => session.goOn()}>Continue session</button>`)
        : nothing
  }
}

function notice(meaning, text, actions) {
  return html`<div class="notice ${meaning} banner" role=${meaning === 'failed' ? 'alert' : 'status'}>
    ${icon(meaning === 'failed' ? 'failed' : meaning)}<p class="grow">${text}</p><div class="row wrap">${actions}</div>
  </div>`
}
