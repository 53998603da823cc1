// What a key is made and changed with.
import { html, nothing } from 'lit'
import { ofService, owned } from './admin-parts.js'
import { ask } from './dialog.js'
import { patch, post } from './http.js'
import { me } from './me.js'
import { exact } from './words.js'

const DAY = 86_400_000

/** The word of the API, what the box says, how it reads in a list, and what it allows. */
export const PERMISSIONS = [
  ['snapshots:read', 'Read snapshots', 'read snapshots', 'See snapshots, storage and what happens; with the next one also load them'],
  ['sandboxes:use', 'Use sandboxes', 'use sandboxes', 'Create and run sandboxes, the Workbench, and save them'],
  ['sandboxes:manage', 'Manage sandboxes', 'manage sandboxes', 'Delete, pin and extend snapshots, end sandboxes of others, volumes'],
  ['project:admin', 'Administer the project', 'administer the project', 'Keys, audit, webhooks and how long snapshots are kept'],
  ['service:admin', 'Administer the service', 'administer the service', 'Projects, their limits, jobs and the keys of the service'],
]

const PROJECT = PERMISSIONS.slice(0, 4)

const ENDS = [
  ['30', '30 days from now'],
  ['90', '90 days from now'],
  ['365', 'A year from now'],
  ['own', 'Another moment'],
  ['never', 'Never'],
]

/** Gives the key with its secret, or undefined. */
export function createKey(service) {
  const asked = { name: '', permissions: new Set(service ? ['service:admin'] : ['snapshots:read', 'sandboxes:use'].filter(gives)), end: '90', own: '' }
  return ask({
    title: service ? 'Create a key of the service' : html`Create a key of ${me.project.name}`,
    action: 'Create key',
    body: (dialog) => fields(asked, service, dialog),
    act: () => post(owned(service, 'keys'), terms(asked, service)),
  })
}

export function changeKey(service, key) {
  const own = key.expiresAt ? local(key.expiresAt) : ''
  const asked = { name: key.name, permissions: new Set(key.permissions), end: key.expiresAt ? 'own' : 'never', own }
  return ask({
    title: html`Change ${key.name}`,
    action: 'Save',
    body: (dialog) => fields(asked, service, dialog, key),
    act: () => {
      const all = terms(asked, service)
      if (asked.end === 'own' && asked.own === own) {
        delete all.expiresAt
      }
      return patch(owned(service, 'keys', key.id), all)
    },
  })
}

const gives = (permission) => ofService() || me.can(permission)

/** As an input of the browser has it, in the viewer's zone. */
function local(at) {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function terms({ name, permissions, end, own }, service) {
  if (!name.trim()) {
    throw new Error('Give the key a name that says what uses it.')
  }
  if (!permissions.size) {
    throw new Error('Choose at least one permission.')
  }
  if (end === 'own' && !own) {
    throw new Error('Choose the moment at which it ends.')
  }
  const at = end === 'never' ? null : end === 'own' ? new Date(own).toISOString() : new Date(Date.now() + Number(end) * DAY).toISOString()
  return { name: name.trim(), expiresAt: at, ...(service ? {} : { permissions: PROJECT.map(([word]) => word).filter((word) => permissions.has(word)) }) }
}

function fields(asked, service, dialog, before) {
  const tick = (word, on) => (on ? asked.permissions.add(word) : asked.permissions.delete(word), dialog.update())
  return html`<div class="field"><label for="key-name">Name</label>
      <input class="input" id="key-name" autofocus required maxlength="128" autocomplete="off" placeholder="nightly export" .value=${asked.name} @input=${(event) => (asked.name = event.target.value)}>
      <span class="hint">Which program or person uses it</span></div>
    ${service
      ? html`<p>It may <strong>administer the service</strong>: ${PERMISSIONS[4][3].toLowerCase()}. Nothing that is in a project.</p>`
      : html`<fieldset class="boxes"><legend>What it may do</legend>${PROJECT.map(([word, label, , allows]) => {
          const may = gives(word) || before?.permissions.includes(word)
          return html`<label class="box"><input class="check" type="checkbox" ?disabled=${!may} .checked=${asked.permissions.has(word)} aria-describedby="allows-${word}" @change=${(event) => tick(word, event.target.checked)}>
            <span><span class="row wrap"><strong>${label}</strong><code class="soft">${word}</code></span>
              <span class="soft small" id="allows-${word}">${allows}.${may ? nothing : ' Your key cannot give it, because it does not have it.'}</span></span></label>`
        })}</fieldset>`}
    <div class="field"><label for="key-end">Expires</label>
      <select class="select" id="key-end" .value=${asked.end} @change=${(event) => ((asked.end = event.target.value), dialog.update())}>
        ${ENDS.map(([word, label]) => html`<option value=${word} ?selected=${word === asked.end}>${label}</option>`)}</select>
      ${Number(asked.end) ? html`<span class="hint">${exact(Date.now() + Number(asked.end) * DAY)}</span>` : nothing}
      ${asked.end === 'never' ? html`<span class="hint">It lives until somebody revokes it.</span>` : nothing}</div>
    ${asked.end === 'own'
      ? html`<div class="field"><label for="key-own">Moment</label><input class="input" id="key-own" type="datetime-local" .value=${asked.own} @input=${(event) => (asked.own = event.target.value)}></div>`
      : nothing}`
}
