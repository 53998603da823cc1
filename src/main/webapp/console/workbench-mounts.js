// Which volumes a fresh session is to see, and where.
import { html, nothing } from 'lit'
import { icon } from './words.js'

const MOST = 8

/** `state` has the `volumes` that there are and the `mounts` that are chosen, each { name, path }. */
export function mountRows(state, dialog) {
  const { volumes, mounts } = state
  const free = volumes.filter((each) => !mounts.some((one) => one.name === each.name))
  const drawn = (act) => () => {
    act()
    dialog.update()
  }
  const add = drawn(() => mounts.push({ name: free[0].name, path: usual(free[0].name) }))
  return html`<fieldset class="mounts">
    <legend>Volumes <span class="soft">– folders that it shares with other sessions</span></legend>
    ${mounts.map((mount, i) => row(mount, i, volumes, drawn, state))}
    ${free.length && mounts.length < MOST
      ? html`<div><button type="button" class="button small" @click=${add}>${icon('plus')}Mount a volume</button></div>`
      : nothing}
    ${volumes.length
      ? nothing
      : html`<p class="soft small">The project has no volumes. <a href="/console/volumes" @click=${() => dialog.close()}>Make one</a> to share files between sessions.</p>`}
  </fieldset>`
}

function row(mount, i, volumes, drawn, state) {
  const choose = (name) => {
    // A path that somebody wrote stays.
    if (mount.path === usual(mount.name)) {
      mount.path = usual(name)
    }
    mount.name = name
  }
  return html`<div class="row mount">
    <select class="select mono" aria-label="Volume ${i + 1}" .value=${mount.name} @change=${(event) => drawn(() => choose(event.target.value))()}>
      ${volumes.map((each) => html`<option value=${each.name} ?selected=${each.name === mount.name}>${each.name}</option>`)}
    </select>
    <span class="soft">at</span>
    <input class="input mono" aria-label="Path of volume ${i + 1}" maxlength="200" autocomplete="off" spellcheck="false" .value=${mount.path} @input=${(event) => (mount.path = event.target.value)}>
    <button type="button" class="button quiet small square" aria-label="Leave out volume ${i + 1}" title="Leave it out" @click=${drawn(() => state.mounts.splice(i, 1))}>${icon('close')}</button>
  </div>`
}

const usual = (name) => `/mnt/${name}`

/** As the server takes them; what it would refuse for sure is said at once. */
export function mountsOf(mounts) {
  const paths = mounts.map((each) => each.path.trim())
  if (new Set(mounts.map((each) => each.name)).size < mounts.length) {
    throw new Error('A volume is mounted once in a session. Leave one of the two out.')
  }
  const wrong = paths.find((each) => !/^(\/[A-Za-z0-9._@+-]{1,64})+$/.test(each))
  if (wrong !== undefined) {
    throw new Error(`“${wrong}” is no path for a volume: letters, digits and . _ @ + - between slashes, as in /mnt/data.`)
  }
  return mounts.map((each, i) => ({ name: each.name, path: paths[i] }))
}
