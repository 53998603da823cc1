// Borders between panes: dragged, moved by keys, remembered, and put back by a double click.
import { layout } from './workbench-local.js'

const STEP = 2
const USUAL = { editor: 50, drawer: 34 }
const LIMITS = { editor: [20, 80], drawer: [12, 75] }

/**
 * `<hf-border name="editor" aria-controls=ID>`: sets `--editor` (or `--drawer`) in percent on its parent; `vertical` when
 * it stands between left and right.
 */
class Border extends HTMLElement {
  connectedCallback() {
    this.name = this.getAttribute('name')
    this.upright = this.hasAttribute('vertical')
    this.tabIndex = 0
    this.setAttribute('role', 'separator')
    this.setAttribute('aria-orientation', this.upright ? 'vertical' : 'horizontal')
    const [least, most] = LIMITS[this.name]
    this.setAttribute('aria-valuemin', least)
    this.setAttribute('aria-valuemax', most)
    this.#set(layout.read()[this.name] ?? USUAL[this.name])
    this.addEventListener('pointerdown', this.#onDown)
    this.addEventListener('keydown', this.#onKey)
    this.addEventListener('dblclick', this.#onDouble)
  }

  get size() {
    return Number(this.getAttribute('aria-valuenow'))
  }

  #set(percent) {
    const [least, most] = LIMITS[this.name]
    const size = Math.min(most, Math.max(least, Number(percent) || USUAL[this.name]))
    this.setAttribute('aria-valuenow', Math.round(size))
    this.parentElement.style.setProperty(`--${this.name}`, `${size}%`)
    this.current = size
  }

  #keep() {
    layout.write({ ...layout.read(), [this.name]: this.current })
  }

  #onDown = (event) => {
    event.preventDefault()
    this.focus()
    this.setPointerCapture(event.pointerId)
    this.toggleAttribute('moving', true)
    const move = (at) => {
      const box = this.parentElement.getBoundingClientRect()
      // The drawer's size is counted from below.
      this.#set(this.upright ? ((at.clientX - box.left) / box.width) * 100 : ((box.bottom - at.clientY) / box.height) * 100)
    }
    const up = () => {
      this.removeEventListener('pointermove', move)
      this.toggleAttribute('moving', false)
      this.#keep()
    }
    this.addEventListener('pointermove', move)
    this.addEventListener('lostpointercapture', up, { once: true })
  }

  #onKey = (event) => {
    const [less, more] = this.upright ? ['ArrowLeft', 'ArrowRight'] : ['ArrowDown', 'ArrowUp']
    const [least, most] = LIMITS[this.name]
    const next = { [less]: this.current - STEP, [more]: this.current + STEP, Home: least, End: most, Enter: USUAL[this.name] }[event.key]
    if (next !== undefined) {
      event.preventDefault()
      this.#set(next)
      this.#keep()
    }
  }

  #onDouble = () => {
    this.#set(USUAL[this.name])
    this.#keep()
  }
}
customElements.define('hf-border', Border)
