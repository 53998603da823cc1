// What was stored day by day: bytes above, how many below, over one axis of days; as a table too.
import { html, nothing, svg } from 'lit'
import { Page } from './page.js'
import { bytes, count, number } from './words.js'

const LEFT = 64
const RIGHT = 12
const BYTES = { top: 10, height: 132 }
const COUNT = { top: 164, height: 56 }
const HEIGHT = 244
/** A limit further away than this would press what is there to the ground. */
const NEAR = 2.5
const MONTH = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

class StoragePlot extends Page {
  static properties = { history: { attribute: false }, limit: { attribute: false }, table: { type: Boolean }, width: { state: true }, at: { state: true } }

  #watch = new ResizeObserver(([entry]) => (this.width = Math.floor(entry.contentRect.width)))

  connectedCallback() {
    super.connectedCallback()
    this.#watch.observe(this)
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    this.#watch.disconnect()
  }

  render() {
    const { days } = this.history
    if (!days.length) {
      return html`<p class="soft">Nothing was stored in these days.</p>`
    }
    return this.table ? table(days) : this.#plot(days)
  }

  #plot(days) {
    const width = Math.max(280, this.width ?? 0)
    const inner = width - LEFT - RIGHT
    const x = (i) => LEFT + (days.length === 1 ? inner / 2 : (i * inner) / (days.length - 1))
    const size = scale(days.map((each) => each.peakBytes), this.limit?.bytes, binary, BYTES)
    const many = scale(days.map((each) => each.snapshots), this.limit?.snapshots, decimal, COUNT)
    const shown = this.at === undefined ? days.length - 1 : Math.min(this.at, days.length - 1)
    return html`<p class="readout" aria-hidden="true"><strong>${DAY.format(new Date(days[shown].day))}</strong> <span>${bytes(days[shown].peakBytes)} at most</span> <span>${count(days[shown].snapshots, 'snapshot')}</span></p>
      <svg class="plot" role="img" aria-label=${told(days)} width=${width} height=${HEIGHT} viewBox="0 0 ${width} ${HEIGHT}"
        @pointermove=${(event) => (this.at = Math.max(0, Math.min(days.length - 1, Math.round(((event.offsetX - LEFT) / inner) * (days.length - 1)))))}
        @pointerleave=${() => (this.at = undefined)}>
        ${frame(size, bytes, width)}
        ${area(days.map((each, i) => [x(i), size.y(each.peakBytes)]), BYTES)}
        ${frame(many, number, width)}
        ${steps(days.map((each, i) => [x(i), many.y(each.snapshots)]), COUNT)}
        ${dates(days, x, width)}
        ${this.at === undefined
          ? nothing
          : svg`<line class="cursor" x1=${x(shown)} x2=${x(shown)} y1=${BYTES.top} y2=${COUNT.top + COUNT.height}></line>
              <circle class="dot" r="3.5" cx=${x(shown)} cy=${size.y(days[shown].peakBytes)}></circle><circle class="dot" r="3.500" cx=${x(shown)} cy=${many.y(days[shown].snapshots)}></circle>`}
      </svg>`
  }
}

/** What is to be seen, in a sentence. */
function told(days) {
  const most = days.reduce((a, b) => (b.peakBytes > a.peakBytes ? b : a))
  const last = days.at(-1)
  return `Stored bytes and number of snapshots per day. Now ${bytes(last.peakBytes)} and ${count(last.snapshots, 'snapshot')}; the most was ${bytes(most.peakBytes)} on ${DAY.format(new Date(most.day))}. The table has every day.`
}

function scale(values, limit, round, { top, height }) {
  const most = Math.max(...values, 1)
  const shownLimit = limit && limit <= most * NEAR ? limit : null
  const edge = round(Math.max(most, shownLimit ?? 0) * 1.04)
  return { edge, top, height, limit: shownLimit, y: (value) => top + height - (value / edge) * height }
}

/** The next number that is easily halved. */
function decimal(value) {
  const unit = 10 ** Math.floor(Math.log10(value))
  return Math.max(2, [1, 2, 4, 6, 8, 10].find((each) => each * unit >= value) * unit)
}

function binary(value) {
  const unit = 1024 ** Math.max(0, Math.floor(Math.log(value) / Math.log(1024)))
  const whole = value / unit
  return unit * (whole > 512 ? 1024 : decimal(whole))
}

function frame({ edge, top, height, limit, y }, words, width) {
  return svg`${[0, edge / 2, edge].map(
      (value) => svg`<line class="grid" x1=${LEFT} x2=${width - RIGHT} y1=${y(value)} y2=${y(value)}></line><text class="tick" x=${LEFT - 8} y=${y(value) + 4} text-anchor="end">${value ? words(Math.round(value)) : '0'}</text>`,
    )}${limit ? svg`<line class="limit" x1=${LEFT} x2=${width - RIGHT} y1=${y(limit)} y2=${y(limit)}></line><text class="tick limit-word" x=${width - RIGHT} y=${y(limit) + (y(limit) - top < 16 ? 13 : -5)} text-anchor="end">limit ${words(limit)}</text>` : nothing}`
}

const text = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`

function area(places, { top, height }) {
  const line = places.length > 1 ? places : [places[0], [places[0][0] + 2, places[0][1]]]
  return svg`<path class="area" d=${`M${text([line[0][0], top + height])}L${line.map(text).join('L')}L${text([line.at(-1)[0], top + height])}Z`}></path><path class="line" d=${`M${line.map(text).join('L')}`}></path>`
}

/** How many there are changes at once and not by and by. */
function steps(places) {
  const [first, ...others] = places
  return svg`<path class="line many" d=${`M${text(first)}${others.map(([x, y]) => `H${x.toFixed(1)}V${y.toFixed(1)}`).join('') || 'h2'}`}></path>`
}

function dates(days, x, width) {
  const every = Math.max(1, Math.ceil(days.length / Math.max(2, Math.floor((width - LEFT) / 84))))
  return days.map((each, i) =>
    (days.length - 1 - i) % every
      ? nothing
      : svg`<text class="tick" x=${x(i)} y=${HEIGHT - 6} text-anchor=${i === days.length - 1 && days.length > 1 ? 'end' : 'middle'}>${MONTH.format(new Date(each.day))}</text>`,
  )
}

function table(days) {
  return html`<div class="scrolling" tabindex="0" role="region" aria-label="Usage by day"><table class="plain-table" aria-label="Usage by day"><thead><tr><th scope="col">Day (UTC)</th><th scope="col" class="end">Most stored</th><th scope="col" class="end">On average</th><th scope="col" class="end">Snapshots</th></tr></thead>
    <tbody>${[...days].reverse().map(
      (each) => html`<tr><th scope="row"><time datetime=${each.day}>${DAY.format(new Date(each.day))}</time></th><td class="end">${bytes(each.peakBytes)}</td><td class="end">${bytes(Math.round(each.byteHours / 24))}</td><td class="end">${number(each.snapshots)}</td></tr>`,
    )}</tbody></table></div>`
}

customElements.define('hf-storage-plot', StoragePlot)
