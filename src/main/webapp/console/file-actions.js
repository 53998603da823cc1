// What can be done with a file of a place (places.js); each resolves with true when it is done.
import { html } from 'lit'
import { ask } from './dialog.js'
import { below, nameOf } from './places.js'
import { toast } from './toast.js'

export function makeDirectory(place, directory) {
  let name = ''
  return ask({
    title: html`New folder in ${directory === '/' ? place.root : nameOf(directory)}`,
    action: 'Create folder',
    body: html`<div class="field"><label for="folder-name">Name</label>
      <input class="input mono" id="folder-name" autofocus maxlength="200" autocomplete="off" spellcheck="false" @input=${(event) => (name = event.target.value)}></div>`,
    act: async () => {
      const text = name.trim()
      if (!text || text.includes('/')) {
        throw new Error('A folder has a name without a slash.')
      }
      await place.makeDirectory(below(directory, text))
      toast(`${text} is there`)
      return true
    },
  })
}

export function move(place, entry) {
  let to = entry.path
  let replace = false
  return ask({
    title: html`Rename or move ${entry.name}`,
    action: 'Move',
    body: html`<div class="field"><label for="move-to">Path</label>
        <input class="input mono" id="move-to" autofocus maxlength="3500" autocomplete="off" spellcheck="false" .value=${to} @input=${(event) => (to = event.target.value)}>
        <span class="hint">From the topmost folder on. Folders on the way have to be there.</span></div>
      <label class="row"><input class="check" type="checkbox" @change=${(event) => (replace = event.target.checked)}>Replace what is there</label>`,
    act: async () => {
      const target = to.trim()
      if (!target.startsWith('/') || target === '/') {
        throw new Error('A path begins with a slash, as in /data/notes.txt.')
      }
      await place.move(entry, target, replace)
      toast(`${entry.name} is ${target} now`)
      return true
    },
  })
}

export function remove(place, entry) {
  const folder = entry.type === 'directory'
  return ask({
    title: html`Delete ${entry.name}`,
    action: `Delete ${folder ? 'folder' : 'file'}`,
    danger: true,
    body: html`<p><span class="mono">${entry.path}</span>${folder ? ' and everything in it' : ''} is removed from ${place.from} It cannot be brought back.</p>`,
    act: async () => {
      await place.remove(entry)
      toast(`${entry.name} is deleted`)
      return true
    },
  })
}
