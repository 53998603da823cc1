'use strict'
// What code becomes so that it can be run piece by piece: names of the outermost level live on and may be
// declared again, imports and await may stand there, and the last expression is the value.

const acorn = require('internal/deps/acorn/acorn/dist/acorn')
const walk = require('internal/deps/acorn/acorn-walk/dist/walk')

const OPTIONS = { ecmaVersion: 'latest', allowAwaitOutsideFunction: true, allowHashBang: true }

function prepare(code) {
  const program = parse(code)
  if (program === null) return { source: code, waits: false }
  const waits = needsWaiting(program)
  const edits = []
  const names = new Set()
  const functions = []
  const topLevel = new Set(program.body)
  for (const node of program.body) statement(node, code, edits, names, functions, waits)
  if (waits) nestedVars(program, topLevel, code, edits, names)
  let source = apply(code, edits)
  if (waits) {
    const declared = names.size ? `var ${[...names].join(', ')};` : ''
    const hoisted = functions.map((name) => `globalThis.${name} = ${name};`).join('')
    source = `${declared}(async () => {${hoisted}${source}\n})()`
  }
  return { source, waits }
}

// What is no JavaScript is left to the engine, whose words about it are better.
function parse(code) {
  for (const sourceType of ['script', 'module']) {
    try {
      return acorn.parse(code, { ...OPTIONS, sourceType })
    } catch {
      continue
    }
  }
  return null
}

const NO_FUNCTIONS = {
  ...walk.base,
  Function() {},
  Class(node, state, c) {
    if (node.superClass) c(node.superClass, state)
  },
}

function needsWaiting(program) {
  let waits = program.body.some((node) => node.type === 'ImportDeclaration')
  const seen = () => {
    waits = true
  }
  walk.simple(program, { AwaitExpression: seen, ForOfStatement: (node) => node.await && seen() }, NO_FUNCTIONS)
  return waits
}

function statement(node, code, edits, names, functions, waits) {
  const text = (part) => code.slice(part.start, part.end)
  if (node.type === 'ImportDeclaration') {
    edits.push([node.start, node.end, imported(node, names)])
  } else if (node.type === 'ExportNamedDeclaration' && node.declaration) {
    edits.push([node.start, node.declaration.start, ''])
    statement(node.declaration, code, edits, names, functions, waits)
  } else if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') {
    edits.push([node.start, node.end, ''])
  } else if (node.type === 'ExportDefaultDeclaration') {
    edits.push([node.start, node.declaration.start, ''])
  } else if (node.type === 'VariableDeclaration') {
    declaration(node, edits, names, waits)
  } else if (node.type === 'ClassDeclaration') {
    names.add(node.id.name)
    edits.push([node.start, node.start, `${waits ? '' : 'var '}${node.id.name} = `], [node.end, node.end, ';'])
  } else if (node.type === 'FunctionDeclaration' && waits) {
    functions.push(node.id.name)
  } else if (node.type === 'ExpressionStatement' && waits && node === lastOf(node, code)) {
    edits.push([node.start, node.start, 'return ('], [node.expression.end, node.end, ')'])
  }
}

// Nothing but blanks, comments and semicolons follows the last statement.
function lastOf(node, code) {
  const rest = code.slice(node.end).replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
  return /^[\s;]*$/.test(rest) ? node : null
}

function declaration(node, edits, names, waits) {
  for (const each of node.declarations) bound(each.id, names)
  if (!waits) {
    edits.push([node.start, node.start + node.kind.length, 'var'])
    return
  }
  edits.push([node.start, node.start + node.kind.length, 'void '])
  for (const each of node.declarations) {
    edits.push([each.start, each.start, '('], [each.end, each.end, each.init ? ')' : ' = undefined)'])
  }
  edits.push([node.end, node.end, ';'])
}

function nestedVars(program, topLevel, code, edits, names) {
  walk.ancestor(
    program,
    {
      VariableDeclaration(node, ancestors) {
        if (node.kind !== 'var' || topLevel.has(node)) return
        const parent = ancestors[ancestors.length - 2]
        const simple = node.declarations.every((each) => each.id.type === 'Identifier')
        if (!simple || parent.type === 'ExportNamedDeclaration') return
        if (/^For/.test(parent.type)) {
          for (const each of node.declarations) bound(each.id, names)
          edits.push([node.start, node.start + 4, ''])
        } else {
          declaration(node, edits, names, true)
        }
      },
    },
    NO_FUNCTIONS,
  )
}

function bound(pattern, names) {
  if (pattern.type === 'Identifier') names.add(pattern.name)
  else if (pattern.type === 'ObjectPattern') {
    for (const each of pattern.properties) bound(each.type === 'RestElement' ? each.argument : each.value, names)
  } else if (pattern.type === 'ArrayPattern') for (const each of pattern.elements) each && bound(each, names)
  else if (pattern.type === 'AssignmentPattern') bound(pattern.left, names)
  else if (pattern.type === 'RestElement') bound(pattern.argument, names)
}

function imported(node, names) {
  const from = `await import(${JSON.stringify(node.source.value)})`
  if (!node.specifiers.length) return `${from};`
  const parts = []
  for (const each of node.specifiers) {
    names.add(each.local.name)
    if (each.type === 'ImportNamespaceSpecifier') parts.push(`${each.local.name} = __module`)
    else {
      const name = each.type === 'ImportDefaultSpecifier' ? 'default' : (each.imported.name ?? each.imported.value)
      parts.push(`${each.local.name} = __module[${JSON.stringify(name)}]`)
    }
  }
  return `{ const __module = ${from}; ${parts.join('; ')} };`
}

function apply(code, edits) {
  let text = code
  const ordered = edits.map((edit, order) => ({ edit, order }))
  ordered.sort((a, b) => b.edit[0] - a.edit[0] || b.edit[1] - a.edit[1] || b.order - a.order)
  for (const { edit } of ordered) text = text.slice(0, edit[0]) + edit[2] + text.slice(edit[1])
  return text
}

module.exports = { prepare }
