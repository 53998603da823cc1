// What a policy lets go at a moment, and why.
import { html, nothing } from 'lit'
import { bytes, count, icon, shortId, when } from './words.js'

export function review({ kept, going, shielded, items, next, at }) {
  return html`<div class="review">
    <p class="row wrap"><span>${going.count ? html`<strong>${count(going.count, 'snapshot')}</strong> with <strong>${bytes(going.bytes)}</strong> would go` : 'Nothing would go'},
      ${count(kept.count, 'snapshot')} with ${bytes(kept.bytes)} would stay${shielded.count ? html`, and ${count(shielded.count, 'is', 'are')} kept although the rules let ${shielded.count === 1 ? 'it' : 'them'} go` : nothing}.</span>
      <span class="soft small">As of ${when(at, { end: true })}</span></p>
    ${items.length
      ? html`<div class="scrolling" tabindex="0" role="region" aria-label="What would go"><table class="plain-table" aria-label="What would go">
          <thead><tr><th scope="col">Snapshot</th><th scope="col">Outcome</th><th scope="col">Why</th><th scope="col" class="end">Size</th></tr></thead>
          <tbody>${items.map(item)}</tbody></table></div>`
      : nothing}
    ${next ? html`<p class="soft small">These are the newest ${items.length}; there are more.</p>` : nothing}
  </div>`
}

function item(each) {
  const goes = each.outcome === 'go'
  return html`<tr><td class="name"><a class="cut" href="/console/snapshots/${each.id}">${each.name ?? html`<span class="mono">${shortId(each.id)}</span>`}</a></td>
    <td class="outcome">${goes ? html`<span class="badge failed">${icon('trash')}Goes</span>` : html`<span class="badge waiting">${icon('pin')}Stays</span>`}</td>
    <td class="why">${each.reasons.map((reason) => reason.detail).join('; ')}</td><td class="end size">${bytes(each.bytes)}</td></tr>`
}
