// Controls that lists have in common.
import { html } from 'lit'

/** A labelled choice. Options: [word, label]. */
export function choice(label, options, chosen, choose) {
  const id = `choose-${label.toLowerCase().replaceAll(' ', '-')}`
  return html`<span class="choice"><label for=${id}>${label}</label>
    <select class="select" id=${id} .value=${chosen} @change=${(event) => choose(event.target.value)}>
      ${options.map(([word, text]) => html`<option value=${word} ?selected=${word === chosen}>${text}</option>`)}
    </select></span>`
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
