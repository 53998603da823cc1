// What sandboxes write is read in a time in proportion to its length, whatever it is. Each text here is the worst for one of the
// patterns: ten times as much of it must not take a hundred times as long.
import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const { AnsiReader, firstLine, isNumber, LineReader, placeOf, plain, plainOf, resultOf, tablesOf } = await read(
  `${process.env.HOLDFAST_CONSOLE}/workbench-reading.js`,
)

/** As a module, whatever a package.json says, and without a browser. */
async function read(source) {
  const directory = mkdtempSync(join(tmpdir(), 'reading-'))
  try {
    const copy = join(directory, 'reading.mjs')
    copyFileSync(source, copy)
    return await import(pathToFileURL(copy))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const SIZE = 1_000_000

/** In milliseconds: what takes less is not worth a comparison. */
const AT_ONCE = 100

/** The time of a processor, because others may want it too. */
function shortest(work) {
  let best = Infinity
  for (let i = 0; i < 3; i++) {
    const begun = process.cpuUsage()
    work()
    best = Math.min(best, process.cpuUsage(begun).user / 1000)
  }
  return best
}

function linear(name, part, read, check) {
  test(name, () => {
    const of = (size) => part.repeat(Math.ceil(size / part.length))
    const few = of(SIZE / 10)
    const many = of(SIZE)
    check(read(many), many)
    const small = shortest(() => read(few))
    const large = shortest(() => read(many))
    assert.ok(large < AT_ONCE || large < 40 * small, `${large} ms for ${many.length} letters, ${small} ms for a tenth`)
  })
}

const ansi = (text) => [...new AnsiReader().read(text)]
const text = (pieces) => pieces.map((piece) => piece.text ?? '').join('')

linear('a sequence of colours without an end', '\u001b[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;', ansi, (pieces, all) =>
  assert.equal(text(pieces).length, all.replaceAll('\u001b', '').length))
linear('parameters of a colour without an end', '1;', (all) => ansi(`\u001b[${all}`), (pieces, all) => assert.equal(text(pieces), `[${all}`))
linear('titles without an end', '\u001b]0;x', ansi, (pieces) => assert.ok(text(pieces).length < 10))
linear('one title without an end', 'x', (all) => ansi(`\u001b]${all}`), (pieces) => assert.equal(text(pieces).length, SIZE - 4000))
linear('escapes alone', '\u001b', ansi, (pieces) => assert.equal(text(pieces), ''))
linear('carriage returns alone', '\r', ansi, (pieces) => assert.equal(pieces.length, SIZE))
linear('colours without text', '\u001b[31m', ansi, (pieces) => assert.equal(pieces.length, 0))
linear('text whose colours are taken away', '\u001b[1\u001b]', plain, (all) => assert.ok(all.length <= SIZE))

linear('files of a traceback without an end', 'File "<', placeOf, (place) => assert.equal(place, null))
linear('lines of a traceback without what follows', 'File "<x>", line 1', placeOf, (place) => assert.deepEqual(place, { line: '1', text: '' }))
linear('digits of a line', '1', (all) => placeOf(`File "<x>", line ${all}`), (place) => assert.equal(place.line, '111111111'))
linear('arrows without a head', '-', placeOf, (place) => assert.equal(place, null))
linear('arrows of a line each', '--\n', placeOf, (place) => assert.equal(place, null))
linear('blank lines behind a place', '\n', (all) => placeOf(`line 1:${all}`), (place) => assert.equal(place, null))

linear('digits of a number', '1', (all) => isNumber(`${all}x`), (number) => assert.equal(number, false))
linear('numbers of a table', `<td>${'1'.repeat(990)}x`, (all) => tablesOf(`<table><tr>${all}`)[0].rows[0].cells.map((cell) => isNumber(cell.text)), (numbers) =>
  assert.deepEqual(new Set(numbers), new Set([false])))
linear('tags without an end', '<td ', (all) => tablesOf(`<table><tr>${all}`), (tables) => assert.equal(tables[0].rows[0].cells.length, 0))
linear('quotes of a tag without an end', '<td "', (all) => tablesOf(`<table><tr>${all}`), (tables) => assert.equal(tables[0].rows[0].cells.length, 0))
linear('one tag of quotes', '"x"', (all) => tablesOf(`<table ${all}`), (tables) => assert.equal(tables.length, 0))
linear('spans without a number', `<td ${'colspan '.repeat(40)}>`, (all) => tablesOf(`<table><tr>${all}`), (tables) =>
  assert.equal(tables[0].rows[0].cells[0].across, 1))
linear('comments without an end', '<!--', tablesOf, (tables) => assert.equal(tables.length, 0))
linear('comments', '<!---->', tablesOf, (tables) => assert.equal(tables.length, 0))
linear('tables', '<table><tr><td>1', tablesOf, (tables) => assert.equal(tables.length, 1))
linear('entities without an end', '&amp', plainOf, (said, all) => assert.equal(said, all))
linear('what is not shown', '<script>', plainOf, (said) => assert.equal(said, ''))
linear('a picture that is none', 'A', (all) => resultOf({ png: `${all}!`, text: 'x' }), (result) => assert.deepEqual(result, { text: 'x' }))
linear('a picture', 'A A\n', (all) => resultOf({ png: all }), (result) => assert.equal(result.picture.length, 'data:image/png;base64,'.length + SIZE / 2))

test('a line that comes in many pieces is looked at once', () => {
  const read = (size) => {
    const reader = new LineReader()
    const piece = 'x'.repeat(1000)
    for (let at = 0; at < size; at += piece.length) {
      assert.deepEqual(reader.read(piece), [])
    }
    return reader.read('\nrest')
  }
  assert.equal(read(10 * SIZE)[0].length, 10 * SIZE)
  const small = shortest(() => read(SIZE))
  const large = shortest(() => read(10 * SIZE))
  assert.ok(large < AT_ONCE || large < 40 * small, `${large} ms, ${small} ms for a tenth`)
})

test('lines are put together whatever their pieces', () => {
  const reader = new LineReader()
  assert.deepEqual(['{"a', '":1}\n{}', '\n\n{"b"', ':2}\n'].flatMap((piece) => reader.read(piece)), ['{"a":1}', '{}', '', '{"b":2}'])
  assert.equal(firstLine('one\ntwo'), 'one')
  assert.equal(firstLine('one'), 'one')
})

test('colours go on over the border of a piece', () => {
  const reader = new AnsiReader()
  const all = ['a\u001b[3', '1mred\u001b', '[0m b\r\nc\u001b]0;ti', 'tle\u0007d\rE'].flatMap((piece) => [...reader.read(piece)])
  assert.deepEqual(
    all.map((piece) => (piece.end ? '|' : piece.back ? '<' : `${piece.text}${piece.style.fg ?? ''}`)),
    ['a', 'red1', ' b', '|', 'c', 'd', '<', 'E'],
  )
})

test('the place of an error is found as the interpreters write it', () => {
  assert.deepEqual(placeOf('ZeroDivisionError  Traceback\nCell In[1], line 2\n      1 a = 1\n----> 2 a / 0\n'), { line: '2', text: 'a / 0' })
  assert.deepEqual(placeOf('Traceback:\n  File "<cell>", line 3, in f\n\n    return 1 / 0\nZero'), { line: '3', text: 'return 1 / 0' })
  assert.deepEqual(placeOf('SyntaxError (x.py, line 4)\n  if\n'), { line: '4', text: 'if' })
  assert.equal(placeOf('KeyboardInterrupt'), null)
})

test('numbers are told from words', () => {
  for (const number of ['1', '-1.5', '1,000.25', '.5', '1e-9', '12%', 'NaN', '<NA>', '3.']) {
    assert.ok(isNumber(number), number)
  }
  for (const word of ['', 'x', '1x', '1.2.3', '--1', 'nane', '1'.repeat(41)]) {
    assert.ok(!isNumber(word), word)
  }
})

test('the best format of a result is taken', () => {
  assert.deepEqual(resultOf({ png: 'QUJD\n', text: '<Figure>' }), { picture: 'data:image/png;base64,QUJD', format: 'png', said: 'Figure' })
  assert.equal(resultOf({ svg: '<svg>\ud800</svg>' }).picture, 'data:image/svg+xml;charset=utf-8,%3Csvg%3E%EF%BF%BD%3C%2Fsvg%3E')
  const html = '<style>td{}</style><table><thead><tr><th></th><th>a</th></tr></thead><tr><th>0</th><td colspan="2">1 &lt; 2</td></tr></table><p>1 rows</p>'
  const { tables } = resultOf({ html, text: 'x' })
  assert.deepEqual(tables[0].rows.map((row) => row.cells.map((cell) => cell.text)), [['', 'a'], ['0', '1 < 2']])
  assert.equal(tables[0].rows[1].cells[1].across, 2)
  assert.equal(tables[0].note, '1 rows')
  assert.deepEqual(resultOf({ html: '<b>bold</b>' }), { text: 'bold' })
  assert.deepEqual(resultOf({ json: { a: 1 } }), { text: '{\n  "a": 1\n}' })
  assert.equal(resultOf({}), null)
})
