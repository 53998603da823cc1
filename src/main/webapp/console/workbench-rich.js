// Results as people look at them: pictures, tables, text. Everything comes from a sandbox and is hostile: of HTML only the
// texts in its tables are read, and the tables are made anew; SVG is shown as a picture only. How it is read: workbench-reading.js.
import { html, nothing } from 'lit'
import { toast } from './toast.js'
import { isNumber, resultOf } from './workbench-reading.js'
import { icon, number } from './words.js'

const known = new WeakMap()

/** The best of the formats that a result has; each result is read once. */
export function richView(formats, { omitted = [] } = {}) {
  if (!known.has(formats)) {
    known.set(formats, resultOf(formats))
  }
  return html`${resultView(known.get(formats))}${omitted.length ? html`<p class="soft small">Too large to be shown: ${omitted.join(', ')}.</p>` : nothing}`
}

function resultView(result) {
  if (result?.picture) {
    return pictureView(result.picture, result.format, result.said)
  }
  if (result?.tables) {
    return result.tables.map(tableView)
  }
  return result ? html`<pre class="value">${result.text}</pre>` : nothing
}

function pictureView(source, format, said) {
  const name = `plot.${format === 'jpeg' ? 'jpg' : format}`
  return html`<figure class="picture">
    <img src=${source} alt=${said}>
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
