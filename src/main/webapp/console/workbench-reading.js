// What sandboxes write, read: colours, tables, pictures, tracebacks, lines. It is hostile, and a page has one thread: so nothing
// here takes longer than in proportion to what it reads, and every text that a pattern goes over more than once is cut first.
// No element is made here; this runs without a browser.

// Lines

/** Puts lines together out of pieces; each piece is looked at once, however long a line becomes. */
export class LineReader {
  #begun = []

  /** The lines that a piece ends. */
  read(piece) {
    const lines = []
    let from = 0
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', from)) {
      this.#begun.push(piece.slice(from, at))
      lines.push(this.#begun.join(''))
      this.#begun = []
      from = at + 1
    }
    if (from < piece.length) {
      this.#begun.push(piece.slice(from))
    }
    return lines
  }
}

export function firstLine(text) {
  const end = text.indexOf('\n')
  return end < 0 ? text : text.slice(0, end)
}

// Text as a terminal shows it

const SEQUENCE = /\u001b\[([0-9;]{0,40})([A-Za-z])|\u001b\][^\u0007\u001b]{0,4000}(?:\u0007|\u001b\\)?|\u001b[@-Z\\-_]/g
const INCOMPLETE = /^\u001b(?:\[[0-9;]{0,40}|\][^\u0007\u001b]{0,200})?$/
const LONGEST_INCOMPLETE = 202
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g

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

/**
 * Reads text with colours in pieces: `{ text, style }`, and `{ end }` and `{ back }` for the end of a line and the way back to its
 * beginning. A sequence that is not complete waits for the next piece.
 */
export class AnsiReader {
  #style = PLAIN
  #rest = ''

  read(text) {
    return this.#pieces(text)
  }

  *#pieces(text) {
    const all = this.#rest + text
    this.#rest = incomplete(all)
    const whole = all.slice(0, all.length - this.#rest.length)
    let last = 0
    for (const found of whole.matchAll(SEQUENCE)) {
      yield* this.#plain(whole.slice(last, found.index))
      last = found.index + found[0].length
      if (found[2] === 'm') {
        this.#style = styled(this.#style, found[1])
      } else if (found[2] === 'K') {
        yield { back: true }
      }
    }
    yield* this.#plain(whole.slice(last))
  }

  *#plain(text) {
    for (const piece of text.split(/(\r\n|\n|\r)/)) {
      if (piece === '\n' || piece === '\r\n') {
        yield { end: true }
      } else if (piece === '\r') {
        yield { back: true }
      } else if (piece) {
        yield { text: piece.replace(CONTROL, ''), style: this.#style }
      }
    }
  }
}

function incomplete(text) {
  const at = text.lastIndexOf('\u001b')
  const rest = at < 0 || text.length - at > LONGEST_INCOMPLETE ? '' : text.slice(at)
  return INCOMPLETE.test(rest) ? rest : ''
}

/** Without colours. */
export const plain = (text) => text.replace(SEQUENCE, '')

// Tracebacks

const LONGEST_TRACEBACK = 100_000
const LONGEST_PLACE = 400

/**
 * Where in the code that was run it happened: IPython marks the line with an arrow, Python names it. The first frame is the
 * code's own.
 */
export function placeOf(traceback) {
  const lines = traceback.slice(0, LONGEST_TRACEBACK).split('\n')
  return (
    firstMatch(lines, /^-{1,40}> (\d{1,9}) ?(.*)$/, (found) => found[2]) ??
    firstMatch(lines, /File "<[^<>]{0,200}>", line (\d{1,9})/, (found, at) => nextWords(lines, at) ?? '') ??
    firstMatch(lines, /line (\d{1,9})\)?:?$/, (found, at) => nextWords(lines, at))
  )
}

function firstMatch(lines, pattern, text) {
  for (let at = 0; at < lines.length; at++) {
    const found = pattern.exec(lines[at].slice(0, LONGEST_PLACE))
    if (found) {
      const said = text(found, at)
      return said === null ? null : { line: found[1], text: said.trim() }
    }
  }
  return null
}

function nextWords(lines, at) {
  for (let next = at + 1; next < lines.length; next++) {
    if (lines[next].trim()) {
      return lines[next].slice(0, LONGEST_PLACE)
    }
  }
  return null
}

// Results

const MOST_ROWS = 200
const MOST_COLUMNS = 60
const MOST_TABLES = 4
const LONGEST_CELL = 1_000
const LONGEST_NUMBER = 40
const LONGEST_TEXT = 200_000
const LONGEST_HTML = 2_000_000
const WIDEST_SPAN = 60
const BASE64 = /^[A-Za-z0-9+/=\s]+$/
const PICTURES = { png: 'image/png', jpeg: 'image/jpeg' }

/**
 * The best of the formats that a result has: `{ picture, format, said }` with its address, `{ tables }`, `{ text }`, or nothing.
 */
export function resultOf(formats) {
  for (const [format, type] of Object.entries(PICTURES)) {
    if (typeof formats[format] === 'string' && BASE64.test(formats[format])) {
      return { picture: `data:${type};base64,${formats[format].replace(/\s/g, '')}`, format, said: alternative(formats) }
    }
  }
  if (typeof formats.svg === 'string') {
    return { picture: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(whole(formats.svg))}`, format: 'svg', said: alternative(formats) }
  }
  if (typeof formats.html === 'string') {
    const tables = tablesOf(formats.html)
    if (tables.length) {
      return { tables }
    }
  }
  const said = formats.markdown ?? formats.latex ?? formats.text ?? formats.json ?? (formats.html === undefined ? undefined : plainOf(formats.html))
  return said === undefined ? null : { text: textOf(said) }
}

/** Half a character has no address. */
const whole = (said) => said.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')

const textOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).slice(0, LONGEST_TEXT)

const alternative = (formats) => (typeof formats.text === 'string' && formats.text.length < 200 ? formats.text.replace(/^<|>$/g, '') : 'Picture')

const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9]{0,20})((?:[^<>"']|"[^"<]{0,2000}"|'[^'<]{0,2000}'){0,400})>/y
const HIDDEN = ['script', 'style', 'template', 'title', 'noscript', 'textarea', 'iframe', 'svg', 'math']
const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0', times: '×', middot: '·', hellip: '…', ndash: '–', mdash: '—' }

/**
 * The tables in a text of HTML, as values: rows, cells, their texts and spans, and nothing else. The browser's own parser is
 * not used, because it would apply styles and handlers, or report that it may not.
 */
export function tablesOf(source) {
  const reader = new TableReader()
  scan(source, reader)
  return reader.tables.slice(0, MOST_TABLES).map(bounded).filter((table) => table.rows.length)
}

/** Hands over tags and the text between them, in one pass; what a page would not show is left out. */
function scan(source, reader) {
  const all = source.slice(0, LONGEST_HTML)
  let from = 0
  let hidden = null
  for (let at = all.indexOf('<'); at >= 0; at = all.indexOf('<', at)) {
    if (all.startsWith('<!--', at)) {
      hidden || reader.text(decoded(all.slice(from, at)))
      const end = all.indexOf('-->', at)
      if (end < 0) {
        return
      }
      from = at = end + 3
      continue
    }
    TAG.lastIndex = at
    const found = TAG.exec(all)
    if (!found) {
      at++
      continue
    }
    hidden || reader.text(decoded(all.slice(from, at)))
    from = at = TAG.lastIndex
    const name = found[2].toLowerCase()
    const closes = found[1] === '/'
    if (hidden) {
      hidden = closes && name === hidden ? null : hidden
    } else if (!closes && HIDDEN.includes(name)) {
      hidden = name
    } else {
      closes ? reader.close(name) : reader.open(name, found[3])
    }
  }
  hidden || reader.text(decoded(all.slice(from)))
}

const decoded = (said) =>
  said.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (all, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : null
    return code === null ? ENTITIES[name] ?? all : code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

class TableReader {
  tables = []
  #depth = 0
  #head = false
  #row = null
  #cell = null
  #note = null

  open(name, attributes) {
    if (name === 'table') {
      this.#depth++
      if (this.#depth === 1) {
        this.tables.push({ rows: [], note: '' })
        this.#note = null
      }
    } else if (this.#depth === 1 && name === 'thead') {
      this.#head = true
    } else if (this.#depth === 1 && name === 'tbody') {
      this.#head = false
    } else if (this.#depth === 1 && name === 'tr') {
      this.#cell = null
      this.#row = { head: this.#head, cells: [] }
      this.tables.at(-1).rows.push(this.#row)
    } else if (this.#depth === 1 && (name === 'td' || name === 'th') && this.#row) {
      this.#cell = { head: name === 'th', text: '', across: span(attributes, 'colspan'), down: span(attributes, 'rowspan') }
      this.#row.cells.push(this.#cell)
    } else if (name === 'br') {
      this.text(' ')
    } else if (name === 'p' && this.#depth === 0 && this.tables.length && !this.tables.at(-1).note) {
      // What pandas says below: 5 rows × 3 columns.
      this.#note = this.tables.at(-1)
    }
  }

  close(name) {
    if (name === 'table' && this.#depth) {
      this.#depth--
      this.#cell = null
    } else if (this.#depth === 1 && (name === 'td' || name === 'th' || name === 'tr')) {
      this.#cell = null
    } else if (this.#depth === 1 && name === 'thead') {
      this.#head = false
    } else if (name === 'p') {
      this.#note = null
    }
  }

  text(said) {
    if (this.#cell && this.#cell.text.length < LONGEST_CELL) {
      this.#cell.text += said.slice(0, LONGEST_CELL)
    } else if (this.#note && this.#note.note.length < 200) {
      this.#note.note += said.slice(0, 200)
    }
  }
}

function bounded({ rows, note }) {
  const shown = rows.slice(0, MOST_ROWS).map((row) => ({
    head: row.head,
    cells: row.cells.slice(0, MOST_COLUMNS).map((cell) => ({ ...cell, text: cell.text.trim() })),
  }))
  const columns = rows.slice(0, MOST_ROWS).reduce((most, row) => Math.max(most, row.cells.length), 0)
  return { rows: shown, note: note.trim(), more: Math.max(0, rows.length - MOST_ROWS), wider: Math.max(0, columns - MOST_COLUMNS) }
}

function span(attributes, name) {
  const found = new RegExp(`\\b${name}\\s*=\\s*["']?(\\d{1,4})`, 'i').exec(attributes)
  return Math.min(WIDEST_SPAN, Math.max(1, Number(found?.[1] ?? 1)))
}

/** Without any markup. */
export function plainOf(source) {
  let all = ''
  scan(source, { text: (said) => (all += said), open: () => {}, close: () => {} })
  return all.trim()
}

const NUMBER = /^[-+]?(?:\d[\d,_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?%?$|^(?:nan|inf|-inf|NaN|<NA>)$/

export const isNumber = (value) => value.length <= LONGEST_NUMBER && NUMBER.test(value)
