// Text as a terminal shows it: colours by class, carriage returns, nothing else. What is written here comes from a sandbox
// and becomes text nodes only. How it is read: workbench-reading.js.
import { AnsiReader } from './workbench-reading.js'

const MOST_LINES = 5_000
const LONGEST_LINE = 20_000

/** A piece of another colour is a node; few letters can be many of them. */
const MOST_PIECES = 50_000

function classes(style) {
  return [
    style.fg !== null && `fg${style.fg}`,
    style.bg !== null && `bg${style.bg}`,
    style.bold && 'bold',
    style.dim && 'dim',
    style.italic && 'italic',
    style.underline && 'underline',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Writes into an element, piece by piece; a line that is over is never touched again. */
export class AnsiWriter {
  #reader = new AnsiReader()
  #line = null
  #length = 0
  #pieces = 0
  #returned = false
  #dropped = null

  constructor(element) {
    this.element = element
  }

  write(text) {
    for (const piece of this.#reader.read(text)) {
      if (piece.end) {
        this.#open()
        this.#line = null
        this.#returned = false
      } else if (piece.back) {
        this.#returned = true
      } else {
        this.#put(piece.text, piece.style)
      }
    }
    this.#bound()
  }

  #open() {
    if (!this.#line) {
      this.#line = document.createElement('div')
      this.#line.pieces = 0
      this.#length = 0
      this.element.append(this.#line)
    }
    return this.#line
  }

  #put(text, style) {
    const line = this.#open()
    if (this.#returned) {
      line.replaceChildren()
      this.#count(-line.pieces)
      this.#length = 0
      this.#returned = false
    }
    const shown = text.slice(0, Math.max(0, LONGEST_LINE - this.#length))
    this.#length += text.length
    if (!shown) {
      return
    }
    const names = classes(style)
    if (names) {
      const span = document.createElement('span')
      span.className = names
      span.textContent = shown
      line.append(span)
    } else {
      line.append(shown)
    }
    this.#count(1)
  }

  #count(pieces) {
    this.#line.pieces += pieces
    this.#pieces += pieces
  }

  #bound() {
    let lines = this.element.childElementCount - (this.#dropped ? 1 : 0)
    if (lines <= MOST_LINES && this.#pieces <= MOST_PIECES) {
      return
    }
    if (!this.#dropped) {
      this.#dropped = document.createElement('div')
      this.#dropped.className = 'dropped'
      this.#dropped.count = 0
      this.element.prepend(this.#dropped)
    }
    for (; lines > MOST_LINES || (this.#pieces > MOST_PIECES && lines > 1); lines--) {
      const first = this.#dropped.nextSibling
      this.#pieces -= first.pieces
      first.remove()
      this.#dropped.count++
    }
    this.#dropped.textContent = `${this.#dropped.count.toLocaleString('en')} earlier lines are not shown`
  }
}
