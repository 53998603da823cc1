// Short descriptions that pages lead to.
import { html } from 'lit'
import { Page, pageHead, pageState } from './page.js'

const TEXTS = {
  'load-a-saved-session': {
    title: 'Load a saved session',
    body: html`<ol class="steps">
        <li><strong>Find it.</strong> Search on <a href="/console/snapshots">Snapshots</a> by a part of its ID, its upload ID or its name. Only what is <em>Saved</em> can be loaded; uploads and what awaits its cleanup cannot.</li>
        <li><strong>Open it.</strong> <em>Open in Workbench</em> leads to the Workbench with a dialog. Nothing is restored by that.</li>
        <li><strong>Look.</strong> The dialog says which snapshot it is, how old, what it holds, whether it can be restored now and if not why, and with which profile the session will run.</li>
        <li><strong>Decide about the open session.</strong> <em>Save current and load</em> keeps its state as a snapshot first. <em>Load session</em> alone gives up what was not saved. If saving fails, nothing is changed.</li>
        <li><strong>Go on.</strong> Variables, functions, files and processes are as they were. Your draft and your history in this browser stay. Connections to the outside are cut and have to be made again.</li>
      </ol>
      <p>A snapshot never changes by being loaded, and can be loaded any number of times. While a session made from it lives, it is <em>in use</em> and cannot be deleted. If a load fails, the session that was open is as it was, and you can choose another snapshot.</p>`,
  },
  'share-files': {
    title: 'Share files between sessions',
    body: html`<p>A snapshot holds the files of its sandbox as they were. Files that several sessions are to share, or that are to stay current, belong on a <a href="/console/volumes">volume</a>: a named folder of the project that is mounted into sandboxes when they are created.</p>
      <ol class="steps">
        <li><strong>Make a volume.</strong> <em>Create volume</em> on <a href="/console/volumes">Volumes</a>, with a limit. It takes <code>sandboxes:manage</code>.</li>
        <li><strong>Put files into it.</strong> Open it and press <em>Upload</em>, or drop them there. That needs no session.</li>
        <li><strong>Mount it.</strong> <em>New</em> in the <a href="/console/workbench">Workbench</a> asks which volumes a session is to see, and at which path. Several sessions may mount one at the same time, and each sees at once what another writes.</li>
        <li><strong>Look into it.</strong> The drawer of the Workbench has the volumes of the session, to upload and download. Programs mount and fill volumes by the SDKs or the API.</li>
      </ol>
      <p>What is on a volume is part of no snapshot. A session that is loaded mounts the same volumes, with what is in them <em>then</em>: a load never rolls one back. A volume that is mounted cannot be deleted, and a snapshot whose volume is deleted cannot be restored any more.</p>`,
  },
}

export default class Help extends Page {
  render() {
    const text = TEXTS[this.route.item]
    return text
      ? html`${pageHead({ title: text.title })}<div class="prose">${text.body}</div>`
      : pageState({ symbol: 'search', title: 'There is no such page', actions: html`<a class="button" href="/console/snapshots">Go to Snapshots</a>` })
  }
}
customElements.define('hf-help', Help)
