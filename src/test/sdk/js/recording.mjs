// Which public methods of the SDK the programs have called themselves, not through another of its
// methods. What is public, the package's own declarations say; what there is, its classes at run
// time. One file a program, so that SdkIT can put them together.
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import * as sdk from '../sdk.mjs'

const require = createRequire(import.meta.url)
const hidden = hiddenNames()
const within = new AsyncLocalStorage()
const seen = new Set()
const shownAs = new Map()
const surface = new Set()
const used = new Set()

watchClass(sdk.Sandbox)
const idle = new sdk.Sandbox({ sandboxId: 'none', envdVersion: '0.6.13', sandboxDomain: 'none', apiKey: 'e2b_0' })
for (const part of ['commands', 'files', 'pty', 'git']) watchClass(idle[part].constructor)
watchClass(sdk.CommandExitError)
watchClass(sdk.Volume)

// The other resources of the package, as wholes.
for (const [name, value] of Object.entries(sdk)) {
  if (typeof value === 'function' && Object.getPrototypeOf(value)?.name === 'ClientFactory' && !shownAs.has(value)) surface.add(name)
}

// A run of some of the tests says nothing of what is used; it keeps its notes apart.
const place = process.env.HOLDFAST_TEST_USED || 'used'

process.on('exit', () => {
  mkdirSync(place, { recursive: true })
  const found = { surface: [...surface].sort(), used: [...used].sort() }
  writeFileSync(join(place, `${basename(process.argv[1])}.json`), JSON.stringify(found, undefined, 1))
})

// Members that the declarations call private or protected, by class.
function hiddenNames() {
  const names = new Map()
  for (const entry of declarations()) {
    let current
    for (const line of readFileSync(entry, 'utf8').split('\n')) {
      const begin = /^declare (?:abstract )?class (\w+)/.exec(line)
      if (begin) current = plain(begin[1])
      else if (line === '}') current = undefined
      const member = /^ {2}(?:private|protected) (?:static |readonly |abstract |get |set )*(\w+)/.exec(line)
      if (current && member) names.set(current, (names.get(current) ?? new Set()).add(member[1]))
    }
  }
  return names
}

function declarations() {
  const found = []
  for (const name of ['e2b', '@e2b/code-interpreter']) {
    try {
      found.push(join(dirname(require.resolve(name)), 'index.d.ts'))
    } catch {
      // This package has not both.
    }
  }
  return found
}

// The bundler numbers a class whose name is there twice.
function plain(name) {
  return name.replace(/\$\d+$/, '')
}

function isPublic(owner, name) {
  return typeof name === 'string' && !name.startsWith('_') && !hidden.get(owner)?.has(name)
}

function watchClass(type) {
  const shown = plain(type.name)
  shownAs.set(type, shown)
  for (let at = type; at && at !== Error && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    watchMembers(at, shown, at, '.', ['length', 'name', 'prototype'])
    if (at.prototype) watchMembers(at.prototype, shown, at, '#', ['constructor'])
    if (at.prototype instanceof Error && Object.getPrototypeOf(at) === Error) break
  }
}

function watchMembers(holder, shown, owner, mark, skipped) {
  const once = `${plain(owner.name)}${mark}`
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
    if (skipped.includes(name) || !isPublic(plain(owner.name), name)) continue
    const isMethod = typeof property.value === 'function'
    if ((!isMethod && !property.get) || !property.configurable) continue
    const title = `${shown}${mark}${name}`
    surface.add(title)
    const key = `${once}${name}`
    if (seen.has(key)) continue
    seen.add(key)
    Object.defineProperty(holder, name, isMethod ? method(property, title) : getter(property, title))
  }
}

// A member that several classes inherit is used of the class it was called on.
function use(called, title) {
  const [declared, member] = title.split('#')
  let type = member && called?.constructor
  while (type && !shownAs.has(type)) type = Object.getPrototypeOf(type)
  used.add(member ? `${shownAs.get(type) ?? declared}#${member}` : title)
}

function method(property, title) {
  const original = property.value
  const value = function (...args) {
    if (within.getStore()) return original.apply(this, args)
    use(this, title)
    const result = within.run(true, () => original.apply(this, args))
    if (typeof result?.then !== 'function') return watched(result)
    return result.then(watched)
  }
  return { ...property, value }
}

function getter(property, title) {
  const get = function () {
    if (!within.getStore()) use(this, title)
    return property.get.call(this)
  }
  return { ...property, get }
}

// Handles and paginators are known only once there is one.
function watched(result) {
  const type = result?.constructor
  if (typeof type === 'function' && /^(CommandHandle|WatchHandle|\w+Paginator)(\$\d+)?$/.test(type.name)) watchClass(type)
  return result
}
