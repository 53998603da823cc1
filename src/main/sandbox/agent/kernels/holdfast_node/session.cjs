'use strict'
// Takes what is asked, one after the other, and answers it.

const fs = require('node:fs')
const { createRequire, isBuiltin } = require('node:module')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const util = require('node:util')
const vm = require('node:vm')
const { prepare } = require('./source.cjs')

const MOST_LISTED = 500
const MOST_RESULT = 8 * 1024 * 1024 - 64 * 1024
const LONGEST = 200

class Interrupted extends Error {}

class Session {
  constructor(wire) {
    this.wire = wire
    this.count = 0
    this.interrupt = null
  }

  begin() {
    const { wire } = this
    for (const [stream, kind] of [[process.stdout, 'o'], [process.stderr, 'e']]) {
      stream.write = (text, encoding, done) => {
        wire.text(kind, text)
        const then = typeof encoding === 'function' ? encoding : done
        if (then) process.nextTick(then)
        return true
      }
    }
    process.on('SIGINT', () => this.interrupt?.(new Interrupted()))
    for (const event of ['uncaughtException', 'unhandledRejection']) {
      process.on(event, (failure) => process.stderr.write(`Uncaught ${util.inspect(failure)}\n`))
    }
    globalThis.display = (value) => this.result(bundle(value), false)
    this.hidden = new Set(Object.getOwnPropertyNames(globalThis))
    wire.listen((kind, request) => this.told(kind, request))
    wire.send('r')
  }

  told(kind, request) {
    if (kind === 'x') this.execute(request)
    else if (kind === 'i') this.interrupt?.(new Interrupted())
    else if (kind === 'c') this.answer(() => this.complete(request.code, request.cursor))
    else if (kind === 'v') this.answer(() => ({ variables: this.variables() }))
  }

  async execute({ code, env, changed }) {
    Object.assign(process.env, changed ?? {})
    const before = Object.keys(env ?? {}).map((name) => [name, process.env[name]])
    Object.assign(process.env, env ?? {})
    try {
      const value = await this.run(code)
      if (value !== undefined) this.result(bundle(value), true)
    } catch (failure) {
      this.failed(failure)
    } finally {
      this.interrupt = null
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
      this.wire.send('d')
    }
  }

  async run(code) {
    const filename = `code-${++this.count}.js`
    const { source } = prepare(code)
    const script = new vm.Script(source, { filename, importModuleDynamically: (name) => load(name) })
    const interrupted = new Promise((_, reject) => {
      this.interrupt = reject
    })
    interrupted.catch(() => {})
    const value = script.runInThisContext({ displayErrors: false, breakOnSigint: true })
    return typeof value?.then === 'function' ? Promise.race([value, interrupted]) : value
  }

  result(formats, main) {
    const event = { type: 'result', main, formats }
    if (JSON.stringify(event).length > MOST_RESULT) {
      process.stderr.write('[too large to be shown]\n')
    } else this.wire.event(event)
  }

  failed(failure) {
    const stopped = failure instanceof Interrupted || failure?.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED'
    const isError = util.types.isNativeError(failure) || failure instanceof Error
    const name = stopped ? 'KeyboardInterrupt' : isError ? String(failure.name) : 'Error'
    const value = stopped ? '' : isError ? String(failure.message) : util.inspect(failure)
    const traceback = isError && !stopped ? own(String(failure.stack)) : `${name}: ${value}`
    this.wire.event({ type: 'error', name, value: value.slice(0, 100_000), traceback: traceback.slice(0, 500_000) })
  }

  answer(ask) {
    let answer = '{}'
    try {
      answer = JSON.stringify(ask())
    } catch {
      // Somebody's proxy threw: then there is no answer.
    }
    this.wire.send('a', answer)
  }

  // Looks at what is there without running a getter.
  complete(code, cursor) {
    const [chain] = /[\w$.]*$/.exec([...code].slice(0, cursor).join(''))
    const parts = chain.split('.')
    const prefix = parts.pop()
    let value = globalThis
    for (const part of parts) value = value == null ? undefined : held(Object(value), part)
    const found = new Set()
    for (let at = value == null ? null : Object(value); at !== null; at = Object.getPrototypeOf(at)) {
      for (const name of Object.getOwnPropertyNames(at)) if (name.startsWith(prefix)) found.add(name)
    }
    return { matches: [...found].sort().slice(0, MOST_LISTED), from: cursor - prefix.length, to: cursor }
  }

  variables() {
    const names = Object.getOwnPropertyNames(globalThis).filter((name) => !this.hidden.has(name))
    return names.sort().slice(0, MOST_LISTED).map((name) => {
      const value = held(globalThis, name)
      const type = value === null ? 'null' : typeof value === 'object' ? (value.constructor?.name ?? 'Object') : typeof value
      const text = util.inspect(value, { depth: 1, maxArrayLength: 10, maxStringLength: LONGEST, breakLength: Infinity })
      return { name, type, value: text.slice(0, LONGEST) }
    })
  }
}

function held(object, name) {
  for (let at = object; at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, name)
    if (found) return found.value
  }
  return undefined
}

function bundle(value) {
  const shown = value?.[Symbol.for('Jupyter.display')]
  if (typeof shown === 'function') return named(shown.call(value))
  return { text: typeof value === 'string' ? value : util.inspect(value) }
}

const NAMES = {
  'text/plain': 'text', 'text/html': 'html', 'text/markdown': 'markdown', 'image/svg+xml': 'svg', 'image/png': 'png',
  'image/jpeg': 'jpeg', 'application/pdf': 'pdf', 'text/latex': 'latex', 'application/json': 'json', 'application/javascript': 'javascript',
}

function named(formats) {
  return Object.fromEntries(Object.entries(formats).map(([kind, value]) => [NAMES[kind] ?? kind, value]))
}

// The frames of the code, without what runs it.
function own(stack) {
  const lines = stack.split('\n')
  const ours = lines.findIndex((line) => /holdfast_node|node:vm|node:internal/.test(line) && /^\s+at /.test(line))
  return (ours < 0 ? lines : lines.slice(0, ours)).join('\n')
}

function load(name) {
  if (isBuiltin(name)) return import(name)
  if (/^(\.|\/)/.test(name)) return import(pathToFileURL(path.resolve(name)).href)
  const here = createRequire(path.join(process.cwd(), 'code.js'))
  try {
    return import(pathToFileURL(here.resolve(name)).href)
  } catch (failure) {
    const file = onlyForImport(name, here.resolve.paths(name) ?? [])
    return file ? import(pathToFileURL(file).href) : Promise.reject(failure)
  }
}

// The entry of a package that has none for `require`.
function onlyForImport(name, places) {
  for (const place of places) {
    const description = path.join(place, name, 'package.json')
    if (!fs.existsSync(description)) continue
    let { exports: entry } = JSON.parse(fs.readFileSync(description, 'utf8'))
    entry = entry?.['.'] ?? entry
    while (entry && typeof entry === 'object') entry = entry.node ?? entry.import ?? entry.default
    if (entry) return path.join(place, name, entry)
  }
  return null
}

module.exports = { Session }
