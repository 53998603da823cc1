// Text as a terminal shows it: colours by class, carriage returns, nothing else. What is written here comes from a sandbox
// and becomes text nodes only.

const SEQUENCE = /\u001b\[([0-9;]*)([A-Za-z])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-Z\\-_]/g
const INCOMPLETE = /\u001b(?:\[[0-9;]{0,40}|\][^\u0007\u001b]{0,200})?$/
const MOST_LINES = 5_000
const LONGEST_LINE = 20_000

const PLAIN = { fg: null, bg: null, bold: false, dim: false, italic: false, underline: false }

/** Of 256 colours the nearest of the sixteen that have a meaning in both themes. */
function basic(index) {
  if (index < 16) {
    return index
  }
  if (index >= 232) {
    return index < 240 ? 8 : index < 250 ? 7 : 15
  }
  const at = index - 16
  return nearest(Math.floor(at / 36) * 51, (Math.floor(at / 6) % 6) * 51, (at % 6) * 51)
}

function nearest(r, g, b) {
  const bright = Math.max(r, g, b) > 180
  const limit = Math.max(r, g, b) * 0.6
  const bits = (r > limit ? 1 : 0) | (g > limit ? 2 : 0) | (b > limit ? 4 : 0)
  return bits + (bright ? 8 : 0)
}

function styled(style, parameters) {
  const codes = parameters === '' ? [0] : parameters.split(';').map(Number)
  let next = { ...style }
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]
    if (code === 0) next = { ...PLAIN }
    else if (code === 1) next.bold = true
    else if (code === 2) next.dim = true
    else if (code === 3) next.italic = true
    else if (code === 4) next.underline = true
    else if (code === 22) next.bold = next.dim = false
    else if (code === 23) next.italic = false
    else if (code === 24) next.underline = false
    else if (code >= 30 && code <= 37) next.fg = code - 30
    else if (code >= 90 && code <= 97) next.fg = code - 82
    else if (code >= 40 && code <= 47) next.bg = code - 40
    else if (code >= 100 && code <= 107) next.bg = code - 92
    else if (code === 39) next.fg = null
    else if (code === 49) next.bg = null
    else if (code === 38 || code === 48) {
      const what = code === 38 ? 'fg' : 'bg'
      if (codes[i + 1] === 5) {
        next[what] = basic(codes[i + 2] ?? 0)
        i += 2
      } else if (codes[i + 1] === 2) {
        next[what] = nearest(codes[i + 2] ?? 0, codes[i + 3] ?? 0, codes[i + 4] ?? 0)
        i += 4
      }
    }
  }
  return next
}

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
  #style = PLAIN
  #rest = ''
  #line = null
  #length = 0
  #returned = false
  #dropped = null

  constructor(element) {
    this.element = element
  }

  write(text) {
    const all = this.#rest + text
    this.#rest = INCOMPLETE.exec(all)?.[0] ?? ''
    const whole = all.slice(0, all.length - this.#rest.length)
    let last = 0
    for (const found of whole.matchAll(SEQUENCE)) {
      this.#plain(whole.slice(last, found.index))
      last = found.index + found[0].length
      if (found[2] === 'm') {
        this.#style = styled(this.#style, found[1])
      } else if (found[2] === 'K') {
        this.#returned = true
      }
    }
    this.#plain(whole.slice(last))
    this.#bound()
  }

  #plain(text) {
    for (const piece of text.split(/(\r\n|\n|\r)/)) {
      if (piece === '\n' || piece === '\r\n') {
        this.#open()
        this.#line = null
        this.#returned = false
      } else if (piece === '\r') {
        this.#returned = true
      } else if (piece) {
        this.#put(piece.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ''))
      }
    }
  }

  #open() {
    if (!this.#line) {
      this.#line = document.createElement('div')
      this.#length = 0
      this.element.append(this.#line)
    }
    return this.#line
  }

  #put(text) {
    const line = this.#open()
    if (this.#returned) {
      line.replaceChildren()
      this.#length = 0
      this.#returned = false
    }
    const shown = text.slice(0, Math.max(0, LONGEST_LINE - this.#length))
    this.#length += text.length
    if (!shown) {
      return
    }
    const names = classes(this.#style)
    if (names) {
      const span = document.createElement('span')
      span.className = names
      span.textContent = shown
      line.append(span)
    } else {
      line.append(shown)
    }
  }

  #bound() {
    let over = this.element.childElementCount - MOST_LINES - (this.#dropped ? 1 : 0)
    if (over <= 0) {
      return
    }
    if (!this.#dropped) {
      this.#dropped = document.createElement('div')
      this.#dropped.className = 'dropped'
      this.element.prepend(this.#dropped)
      this.#dropped.count = 0
      over = this.element.childElementCount - MOST_LINES - 1
    }
    this.#dropped.count += over
    for (; over > 0; over--) {
      this.#dropped.nextSibling.remove()
    }
    this.#dropped.textContent = `${this.#dropped.count.toLocaleString('en')} earlier lines are not shown`
  }
}

/** Without colours. */
export const plain = (text) => text.replace(SEQUENCE, '')
