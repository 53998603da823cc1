// One entry of the audit beside the list.
import { html, nothing } from 'lit'
import { actor } from './admin-parts.js'
import { actionWords, OUTCOMES } from './audit-words.js'
import { copied, copy } from './copy.js'
import { exact, icon, number } from './words.js'

/** `change` narrows the list to what is like it. */
export function entryPanel(entry, { close, change }) {
  return html`<aside class="side" aria-label="Entry">
    <header><div class="row"><h2 class="grow">${entry.gone ? 'Entry' : actionWords(entry.action)}</h2>
      <button class="button quiet small square" aria-label="Close the panel" title="Close" @click=${close}>${icon('close')}</button></div></header>
    <div class="inside">${entry.gone ? html`<p class="soft" role="status">Entry ${entry.id} is not in this audit, or not any more.</p>` : inside(entry, change)}</div>
  </aside>`
}

const fact = (label, value) => (value === null || value === undefined ? nothing : html`<div><dt>${label}</dt><dd>${value}</dd></div>`)

function inside(entry, change) {
  const [meaning, symbol, text] = OUTCOMES[entry.outcome] ?? ['', 'info', entry.outcome]
  const details = Object.entries(entry.details)
  const { subject } = entry
  return html`<section><h3>What happened</h3><dl class="pairs">
      ${fact('Action', html`<code>${entry.action}</code>`)}
      ${fact('Outcome', html`<span class="badge ${meaning}">${icon(symbol)}${text}</span>`)}
      ${fact('Reason', entry.reason && html`<code>${entry.reason}</code>`)}
      ${fact('When', html`${exact(entry.at)}<br> <span class="mono soft small">${entry.at}</span>`)}
      ${fact('Who', html`${actor(entry)}<br>${copied(entry.principal, 'actor', { whole: true })}`)}
      ${fact('Object', subject.id ? html`${subject.type.replaceAll('_', ' ')}<br>${copied(subject.id, 'object ID', { whole: true })}` : null)}
    </dl>
    <div class="row wrap"><button class="button small" @click=${() => change({ actor: entry.principal })}>All by this actor</button>
      ${subject.id ? html`<button class="button small" @click=${() => change({ object: subject.id })}>All about this object</button>` : nothing}
      ${subject.type === 'snapshot' && subject.id ? html`<a class="button small" href="/console/snapshots/${subject.id}">Open the snapshot</a>` : nothing}</div></section>
    ${details.length ? html`<section><h3>Details</h3><dl class="pairs">${details.map(([key, value]) => fact(key, html`<span class="mono">${value}</span>`))}</dl></section>` : nothing}
    <section><h3>Where from</h3><dl class="pairs">
      ${fact('Address', entry.address && html`<span class="mono">${entry.address}</span>`)}
      ${fact('Program', entry.userAgent && html`<span class="small">${entry.userAgent}</span>`)}
      ${fact('Request', entry.requestId && copied(entry.requestId, 'request ID', { whole: true }))}
      ${entry.address || entry.requestId ? nothing : html`<p class="soft">From no request: the system did it by itself.</p>`}</dl></section>
    <section><h3>In the chain</h3>${entry.chain
      ? html`<dl class="pairs">${fact('Place', number(entry.chain.sequence))}
          ${fact('Hash', html`<span class="mono small">${entry.chain.hash}</span>`)}
          ${fact('Before it', html`<span class="mono small">${entry.chain.previousHash}</span>`)}</dl>`
      : html`<p class="soft">It gets its place in a moment.</p>`}</section>
    <div class="row"><button class="button small" @click=${() => copy(JSON.stringify(entry, null, 2), 'Entry')}>${icon('copy')}Copy as JSON</button></div>`
}
