// Results as people look at them: pictures, tables, text. Everything comes from a sandbox and is hostile: of HTML only the
// texts in its tables are read, and the tables are made anew; SVG is shown as a picture only.
import { html, nothing } from 'lit'
import { toast } from './toast.js'
import { icon, number } from './words.js'

const MOST_ROWS = 200
const MOST_COLUMNS = 60
const MOST_TABLES = 4
const LONGEST_CELL = 1_000
const LONGEST_TEXT = 200_000
const LONGEST_HTML = 2_000_000
const WIDEST_SPAN = 60
const BASE64 = /^[A-Za-z0-9+/=\s]+$/
const PICTURES = { png: 'image/png', jpeg: 'image/jpeg' }

const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).slice(0, LONGEST_TEXT)

/** The best of the formats that a result has. */
export function richView(formats, { omitted = [] } = {}) {
  return html`${best(formats)}${omitted.length ? html`<p class="soft small">Too large to be shown: ${omitted.join(', ')}.</p>` : nothing}`
}

function best(formats) {
  for (const [format, type] of Object.entries(PICTURES)) {
    if (typeof formats[format] === 'string' && BASE64.test(formats[format])) {
      return pictureView(`data:${type};base64,${formats[format].replace(/\s/g, '')}`, format, alternative(formats))
    }
  }
  if (typeof formats.svg === 'string') {
    return pictureView(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(formats.svg)}`, 'svg', alternative(formats))
  }
  if (typeof formats.html === 'string') {
    const tables = tablesIn(formats)
    if (tables.length) {
      return tables.map(tableView)
    }
  }
  const said = formats.markdown ?? formats.latex ?? formats.text ?? formats.json ?? (formats.html === undefined ? undefined : plainOf(formats.html))
  return said === undefined ? nothing : html`<pre class="value">${text(said)}</pre>`
}

const alternative = (formats) => (typeof formats.text === 'string' && formats.text.length < 200 ? formats.text : 'Picture')

function pictureView(source, format, said) {
  const name = `plot.${format === 'jpeg' ? 'jpg' : format}`
  return html`<figure class="picture">
    <img src=${source} alt=${said.replace(/^<|>$/g, '')}>
    <figcaption class="row">
      <button class="button quiet small" @click=${(event) => copyPicture(event.currentTarget.closest('figure').querySelector('img'))}>${icon('copy')}Copy</button>
      <a class="button quiet small" href=${source} download=${name}>${icon('down')}Download</a>
    </figcaption>
  </figure>`
}

async function copyPicture(image) {
  try {
    const canvas = Object.assign(document.createElement('canvas'), { width: image.naturalWidth, height: image.naturalHeight })
    canvas.getContext('2d').drawImage(image, 0, 0)
    const picture = new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error())), 'image/png'))
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])
    toast('The picture is in the clipboard.')
  } catch {
    toast('This browser does not let pages copy pictures. Download it instead.', { failed: true })
  }
}

const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9]{0,20})((?:[^<>"']|"[^"<]{0,2000}"|'[^'<]{0,2000}'){0,400})>/y
const HIDDEN = ['script', 'style', 'template', 'title', 'noscript', 'textarea', 'iframe', 'svg', 'math']
const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0', times: '×', middot: '·', hellip: '…', ndash: '–', mdash: '—' }

const known = new WeakMap()

/** The tables of a result, read once. */
function tablesIn(formats) {
  if (!known.has(formats)) {
    known.set(formats, tablesOf(formats.html))
  }
  return known.get(formats)
}

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
function plainOf(source) {
  let all = ''
  scan(source, { text: (said) => (all += said), open: () => {}, close: () => {} })
  return all.trim()
}

const isNumber = (value) => /^[-+]?(\d[\d,_]*\.?\d*|\.\d+)([eE][-+]?\d+)?%?$|^(nan|inf|-inf|NaN|<NA>)$/.test(value)

function tableView({ rows, note, more, wider }) {
  const head = rows.filter((row) => row.head)
  const body = rows.filter((row) => !row.head)
  const left = [more && `${number(more)} more rows`, wider && `${number(wider)} more columns`].filter(Boolean).join(', ')
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table">
      <table class="data">
        ${head.length ? html`<thead>${head.map(rowView)}</thead>` : nothing}
        <tbody>${body.map(rowView)}</tbody>
      </table>
    </div>
    ${note || left ? html`<p class="soft small">${[note, left].filter(Boolean).join(' · ')}</p>` : nothing}`
}

const rowView = (row) =>
  html`<tr>${row.cells.map((cell) => {
    const kind = isNumber(cell.text) ? 'number' : ''
    return cell.head && cell.text
      ? html`<th class=${kind} scope=${row.head ? 'col' : 'row'} colspan=${cell.across} rowspan=${cell.down}>${cell.text}</th>`
      : html`<td class=${kind} colspan=${cell.across} rowspan=${cell.down}>${cell.text}</td>`
  })}</tr>`
