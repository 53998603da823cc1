'use strict'
// The interpreter of a JavaScript context. Its one argument is the descriptor over which it is asked.

const path = require('node:path')
const { Session } = require('./holdfast_node/session.cjs')
const { Wire } = require('./holdfast_node/wire.cjs')

const wire = new Wire(Number(process.argv[2]))
process.argv = [process.argv[0]]
globalThis.require = require('node:module').createRequire(path.join(process.cwd(), 'code.js'))
new Session(wire).begin()
