'use strict'
// Frames to and from the agent: a letter, four bytes of length, and so many bytes.

const fs = require('node:fs')
const net = require('node:net')

const MOST_TEXT = 32 * 1024

class Wire {
  constructor(fd) {
    this.fd = fd
    this.pending = []
    this.written = 0
    this.nap = new Int32Array(new SharedArrayBuffer(4))
  }

  listen(told) {
    let received = Buffer.alloc(0)
    const socket = new net.Socket({ fd: this.fd, readable: true, writable: false })
    socket.on('data', (piece) => {
      received = Buffer.concat([received, piece])
      while (received.length >= 5 && received.length >= 5 + received.readUInt32BE(1)) {
        const end = 5 + received.readUInt32BE(1)
        const kind = received.toString('latin1', 0, 1)
        const request = JSON.parse(received.toString('utf8', 5, end))
        received = received.subarray(end)
        told(kind, request)
      }
    })
    for (const event of ['end', 'error', 'close']) socket.on(event, () => process.reallyExit(0))
  }

  // Waits for room: what code writes in a loop must not pile up here. An interrupt may end this in the
  // middle of a frame; the rest goes with the next one.
  send(kind, body = '') {
    const bytes = Buffer.from(body)
    const head = Buffer.alloc(5)
    head.write(kind, 0, 'latin1')
    head.writeUInt32BE(bytes.length, 1)
    this.pending.push(Buffer.concat([head, bytes]))
    while (this.pending.length) {
      try {
        this.written += fs.writeSync(this.fd, this.pending[0], this.written)
      } catch (failure) {
        if (failure.code !== 'EAGAIN') process.reallyExit(1)
        Atomics.wait(this.nap, 0, 0, 2)
        continue
      }
      if (this.written === this.pending[0].length) {
        this.pending.shift()
        this.written = 0
      }
    }
  }

  text(kind, text) {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += MOST_TEXT) this.send(kind, bytes.subarray(at, at + MOST_TEXT))
  }

  event(value) {
    this.send('j', ascii(JSON.stringify(value)))
  }
}

function ascii(json) {
  return json.replace(/[\u0080-\uffff]/g, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'))
}

module.exports = { Wire }
