// A small plot in a row: how something went lately. What it says stands beside it in words.
import { svg, html } from 'lit'

const WIDTH = 72
const HEIGHT = 20

/**
 * @param points { at, value } in the order of time
 * @param span { from, until, step } of the time it shows; a gap of more than two steps is left open
 * @param most the value at the upper edge
 */
export function sparkline(points, { from, until, step }, most) {
  const begin = new Date(from).getTime()
  const length = new Date(until).getTime() - begin || 1
  const place = ({ at, value }) => [
    Math.max(0, Math.min(WIDTH, ((new Date(at).getTime() - begin) / length) * WIDTH)),
    HEIGHT - 1 - Math.max(0, Math.min(1, value / (most || 1))) * (HEIGHT - 2),
  ]
  const text = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`
  return html`<svg class="sparkline" viewBox="0 0 ${WIDTH} ${HEIGHT}" width=${WIDTH} height=${HEIGHT} aria-hidden="true">
    ${runs(points, 2_500 * step).map((run) => {
      const places = run.map(place)
      // One measure alone is still to be seen.
      const line = places.length > 1 ? places : [places[0], [places[0][0] + 1.5, places[0][1]]]
      return svg`<path class="under" d=${`M${text([line[0][0], HEIGHT])}L${line.map(text).join('L')}L${text([line.at(-1)[0], HEIGHT])}Z`}></path>
        <path class="line" d=${`M${line.map(text).join('L')}`}></path>`
    })}
  </svg>`
}

function runs(points, gap) {
  const all = []
  let last = -Infinity
  for (const each of points) {
    const at = new Date(each.at).getTime()
    if (at - last > gap) {
      all.push([])
    }
    all.at(-1).push(each)
    last = at
  }
  return all
}
