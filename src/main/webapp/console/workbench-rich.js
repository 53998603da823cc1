// Results as people look at them: pictures, tables, text. Everything comes from a sandbox and is hostile: HTML is read by a
// parser that runs nothing, and only the skeleton of tables is made anew from it; SVG is shown as a picture only.
import { html, nothing } from 'lit'
import { toast } from './toast.js'
import { icon, number } from './words.js'

const MOST_ROWS = 200
const MOST_COLUMNS = 60
const MOST_TABLES = 4
const LONGEST_CELL = 1_000
const LONGEST_TEXT = 200_000
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
    const tables = tablesOf(formats.html)
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

/** The tables in a text of HTML, as values: nothing of the text itself is kept. */
export function tablesOf(source) {
  const parsed = new DOMParser().parseFromString(source, 'text/html')
  return [...parsed.querySelectorAll('table')]
    .filter((table) => !table.parentElement.closest('table'))
    .slice(0, MOST_TABLES)
    .map(tableOf)
    .filter((table) => table.rows.length)
}

function tableOf(table) {
  const all = [...table.rows]
  const rows = all.slice(0, MOST_ROWS).map((row) => ({
    head: row.parentElement?.tagName === 'THEAD',
    cells: [...row.cells].slice(0, MOST_COLUMNS).map((cell) => ({
      head: cell.tagName === 'TH',
      text: cell.textContent.trim().slice(0, LONGEST_CELL),
      across: span(cell.getAttribute('colspan')),
      down: span(cell.getAttribute('rowspan')),
    })),
  }))
  const columns = Math.max(0, ...all.slice(0, MOST_ROWS).map((row) => row.cells.length))
  // What pandas says below: 5 rows × 3 columns.
  const note = table.nextElementSibling?.tagName === 'P' ? table.nextElementSibling.textContent.trim().slice(0, 200) : ''
  return { rows, note, more: Math.max(0, all.length - MOST_ROWS), wider: Math.max(0, columns - MOST_COLUMNS) }
}

const span = (value) => Math.min(WIDEST_SPAN, Math.max(1, Number.parseInt(value ?? '1', 10) || 1))

const plainOf = (source) => new DOMParser().parseFromString(source, 'text/html').body.textContent.trim()

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
    return cell.head
      ? html`<th class=${kind} scope=${row.head ? 'col' : 'row'} colspan=${cell.across} rowspan=${cell.down}>${cell.text}</th>`
      : html`<td class=${kind} colspan=${cell.across} rowspan=${cell.down}>${cell.text}</td>`
  })}</tr>`
