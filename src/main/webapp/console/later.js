// What is done a while after it was last asked for.

/** Many askings are one; `stop()` takes the last one back. */
export function later(delay, act) {
  let timer
  const ask = (...given) => {
    clearTimeout(timer)
    timer = setTimeout(() => act(...given), delay)
  }
  ask.stop = () => clearTimeout(timer)
  return ask
}
