// Controls that lists have in common.
import { html, nothing } from 'lit'
import { icon } from './words.js'

/** A labelled choice. Options: [word, label]. */
export function choice(label, options, chosen, choose) {
  const id = `choose-${label.toLowerCase().replaceAll(' ', '-')}`
  return html`<span class="choice"><label for=${id}>${label}</label>
    <select class="select" id=${id} .value=${chosen} @change=${(event) => choose(event.target.value)}>
      ${options.map(([word, text]) => html`<option value=${word} ?selected=${word === chosen}>${text}</option>`)}
    </select></span>`
}

/** Where a list is searched. `hint` is read out and shown beside what is typed. */
export function searchField({ label, placeholder, text, typed, hint = nothing }) {
  return html`<div class="search">
    ${icon('search')}
    <label class="visually-hidden" for="search">${label}</label>
    <input class="input" id="search" type="search" placeholder=${placeholder} autocomplete="off" spellcheck="false" maxlength="400"
      .value=${text} aria-describedby=${hint === nothing ? nothing : 'search-hint'} @input=${(event) => typed(event.target.value)}>
    ${hint === nothing ? nothing : html`<span class="hint" id="search-hint" aria-live="polite">${hint}</span>`}
  </div>`
}

/** Previous or Next; without an address there is nothing there. Behind what is numbered the way back is the browser's own. */
export function step(label, address) {
  if (!address) {
    return html`<button class="button" disabled>${label}</button>`
  }
  return address === 'history'
    ? html`<button class="button" @click=${() => history.back()}>${label}</button>`
    : html`<a class="button" href=${address} role="button">${label}</a>`
}
