import { html } from 'lit'
import { Page, pageHead, pageState } from './page.js'

/** A page to copy: a module whose default export is a custom element, named in `pages.js`. */
export default class Workbench extends Page {
  render() {
    return html`${pageHead({ title: 'Workbench' })}${pageState({ symbol: 'workbench', title: 'Nothing runs here yet' })}`
  }
}
customElements.define('hf-workbench', Workbench)
