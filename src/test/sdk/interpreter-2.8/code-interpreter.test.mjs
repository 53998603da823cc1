import assert from 'node:assert/strict'
import { test } from 'node:test'
import './js/recording.mjs'
import { NotFoundError, Sandbox, SandboxError, TimeoutError } from './sdk.mjs'
import { address, capture, endLater, eventually, open, shared } from './js/stage.mjs'

const box = shared({ envs: { OF_SANDBOX: 'sandbox', OVERRIDDEN: 'sandbox' } }, 'code-interpreter-v1')

async function value(sandbox, code, opts) {
  const { text, error } = await sandbox.runCode(code, opts)
  assert.equal(error, undefined, JSON.stringify(error))
  return text
}

test('R122 code runs, and the next piece finds what the one before made', async (t) => {
  const began = Date.now()
  const first = await box.it.runCode('total = 42\nprint("made")')
  t.diagnostic(`first code after ${Date.now() - began} ms`)
  assert.deepEqual(first.logs.stdout, ['made\n'])
  assert.equal(first.error, undefined)
  assert.deepEqual(first.results, [])
  const second = await box.it.runCode('total')
  assert.equal(second.text, '42')
  assert.equal(second.executionCount, first.executionCount + 1)
  assert.equal(await value(box.it, '"without quotes"'), 'without quotes')
})

test('output comes while the code runs, in its order and in every script', async () => {
  const seen = []
  const { logs } = await box.it.runCode(
    'import sys, time\nfor n in range(3):\n  print(n, "größe 漢字 😀")\n  time.sleep(0.4)\nprint("err", file=sys.stderr)',
    {
      onStdout: (message) => seen.push([message.line, Date.now()]),
      onStderr: (message) => seen.push([message.line, Date.now()]),
    },
  )
  assert.deepEqual(seen.map(([line]) => line), [0, 1, 2].map((n) => `${n} größe 漢字 😀\n`).concat('err\n'))
  assert.ok(seen[2][1] - seen[0][1] > 500, 'each when it was written')
  assert.deepEqual(logs.stderr, ['err\n'])
  const much = await box.it.runCode('print("é" * 300000)')
  assert.equal(much.logs.stdout.join(''), 'é'.repeat(300000) + '\n')
})

test('results come in every format that they have', async () => {
  const results = []
  const code = `
from IPython.display import HTML, JSON, Latex, Markdown, SVG, Javascript, Image, display
for each in (HTML("<b>x</b>"), Markdown("*x*"), Latex("$x$"), JSON({"x": [1, None]}), Javascript("1"),
             SVG('<svg xmlns="http://www.w3.org/2000/svg"/>')):
    display(each)
display({"application/vnd.own+json": {"a": 1}, "text/plain": "own"}, raw=True)
import pandas as pd
table = pd.DataFrame({"name": ["a", "b"], "count": [1, 2.5]})
table`
  const execution = await box.it.runCode(code, { onResult: (result) => results.push(result) })
  assert.equal(execution.error, undefined, JSON.stringify(execution.error))
  const [html, markdown, latex, json, javascript, svg, own, table] = results
  assert.equal(html.html, '<b>x</b>')
  assert.equal(markdown.markdown, '*x*')
  assert.equal(latex.latex, '$x$')
  assert.deepEqual(json.json, { x: [1, null] })
  assert.equal(javascript.javascript, '1')
  assert.match(svg.svg, /<svg/)
  assert.deepEqual(own.extra['application/vnd.own+json'], { a: 1 })
  assert.ok(results.slice(0, -1).every((result) => !result.isMainResult) && table.isMainResult)
  assert.match(table.html, /<table/)
  assert.deepEqual(table.data, { name: ['a', 'b'], count: [1, 2.5] })
})

test('figures come as pictures and as data', async () => {
  const { results, error } = await box.it.runCode(`
import matplotlib.pyplot as plt
plt.bar(["a", "b"], [1, 2], label="sold")
plt.title("bars"); plt.xlabel("Who"); plt.ylabel("How many [items]")
plt.show()
plt.plot([1, 2, 3], [1, 4, 9], label="squares")
plt.show()
figure, (left, right) = plt.subplots(1, 2)
left.scatter([1, 2], [3, 4], label="dots")
right.pie([1, 3], labels=["one", "three"])
figure, axes = plt.subplots()
axes.boxplot([[1, 2, 3, 4, 100]]);`)
  assert.equal(error, undefined, JSON.stringify(error))
  assert.equal(results.length, 4)
  for (const each of results) assert.equal(Buffer.from(each.png, 'base64').toString('latin1', 1, 4), 'PNG')
  const [bars, line, both, boxes] = results.map((each) => each.chart)
  assert.equal(bars.type, 'bar')
  assert.equal(bars.title, 'bars')
  assert.deepEqual([bars.x_label, bars.y_unit], ['Who', 'items'])
  assert.deepEqual(bars.elements, [
    { label: 'a', value: 1, group: 'sold' },
    { label: 'b', value: 2, group: 'sold' },
  ])
  assert.equal(line.type, 'line')
  assert.deepEqual(line.elements, [{ label: 'squares', points: [[1, 1], [2, 4], [3, 9]] }])
  assert.equal(both.type, 'superchart')
  assert.deepEqual(both.elements.map((each) => each.type), ['scatter', 'pie'])
  assert.deepEqual(both.elements[1].elements.map((each) => each.angle), [90, 270])
  assert.equal(boxes.type, 'box_and_whisker')
  const [{ median, outliers }] = boxes.elements
  assert.deepEqual([median, outliers], [3, [100]])
})

test('an error has its name, its value and where it came from', async () => {
  const heard = []
  const { error, results } = await box.it.runCode('def fail():\n  return 1 / 0\nfail()', { onError: (e) => heard.push(e) })
  assert.equal(error.name, 'ZeroDivisionError')
  assert.equal(error.value, 'division by zero')
  assert.match(error.traceback, /return 1 \/ 0/)
  assert.deepEqual([heard.length, results.length], [1, 0])
  assert.equal((await box.it.runCode('if:')).error.name, 'SyntaxError')
})

test('a client that gives up interrupts its code', async () => {
  await box.it.runCode('kept = 1')
  await assert.rejects(box.it.runCode('import time\ntime.sleep(60)\nkept = 2', { timeoutMs: 1_000 }), TimeoutError)
  const began = Date.now()
  assert.equal(await value(box.it, 'kept'), '1')
  assert.ok(Date.now() - began < 15_000, 'and the next piece does not wait for it')
})

test('variables of a call hold for that call, and those of the sandbox for all', async () => {
  const code = 'import os\n[os.environ.get(n) for n in ("OF_SANDBOX", "OVERRIDDEN", "CALL")]'
  assert.equal(await value(box.it, code, { envs: { CALL: '1', OVERRIDDEN: '2' } }), "['sandbox', '2', '1']")
  assert.equal(await value(box.it, code), "['sandbox', 'sandbox', None]")
})

test('contexts are apart, start where they are asked to, and can be restarted and removed', async () => {
  const languages = (await box.it.listCodeContexts()).map((each) => each.language)
  assert.ok(languages.includes('python') && languages.includes('javascript'))
  const context = await box.it.createCodeContext({ cwd: '/usr' })
  assert.deepEqual([context.language, context.cwd], ['python', '/usr'])
  assert.equal(await value(box.it, 'import os\nonly_here = 1\nos.getcwd()', { context }), '/usr')
  assert.equal((await box.it.runCode('only_here')).error.name, 'NameError')
  await box.it.restartCodeContext(context)
  assert.equal((await box.it.runCode('only_here', { context })).error.name, 'NameError')
  assert.ok((await box.it.listCodeContexts()).some((each) => each.id === context.id))
  await box.it.removeCodeContext(context.id)
  // The package leaves the timer of a refused request running, and the process with it.
  await assert.rejects(box.it.runCode('1', { context, requestTimeoutMs: 5_000 }), NotFoundError)
  await assert.rejects(box.it.restartCodeContext(context), NotFoundError)
  await assert.rejects(box.it.removeCodeContext('none'), NotFoundError)
  await assert.rejects(box.it.createCodeContext({ cwd: '/no/such' }), SandboxError)
})

test('JavaScript and Bash run too, and other languages are refused with those that there are', async () => {
  assert.equal(await value(box.it, 'const one = await Promise.resolve(41); let two = one + 1; two', { language: 'js' }), '42')
  assert.equal(await value(box.it, 'const one = 1; [one, two]', { language: 'javascript' }), '[ 1, 42 ]')
  const failed = await box.it.runCode('console.log("said"); null.x', { language: 'javascript' })
  assert.deepEqual([failed.error.name, failed.logs.stdout], ['TypeError', ['said\n']])
  await box.it.runCode('there=/tmp; cd $there', { language: 'bash' })
  const shell = await box.it.runCode('pwd; false', { language: 'bash' })
  assert.deepEqual(shell.logs.stdout, ['/tmp\n'])
  assert.equal(shell.error.value, 'exit status 1')
  for (const language of ['r', 'java', 'typescript']) {
    const refused = await execute(box.it, { code: '1', language })
    assert.equal(refused.status, 400)
    assert.match(await refused.text(), new RegExp(`'${language}' is not offered; allowed are python, javascript, bash`))
  }
})

test('code that ends its interpreter says so and gets a new one', async () => {
  const context = await box.it.createCodeContext()
  const { error, logs } = await box.it.runCode('import os\nprint("last words")\nos._exit(7)', { context })
  assert.equal(error.name, 'InterpreterEnded')
  assert.match(error.value, /exit code 7/)
  assert.deepEqual(logs.stdout, ['last words\n'])
  assert.equal(await value(box.it, '1 + 1', { context }), '2')
  assert.equal((await box.it.runCode('import os, signal\nos.kill(os.getpid(), signal.SIGKILL)', { context })).error.name, 'InterpreterEnded')
  assert.ok(await box.it.isRunning())
  await box.it.removeCodeContext(context)
})

test('running code needs the access token, other calls do not; what is malformed is refused', async () => {
  assert.equal((await execute(box.it, { code: '1' }, { 'X-Access-Token': 'wrong' })).status, 401)
  const lines = (await (await execute(box.it, { code: '"é"' })).text()).split('\n')
  assert.equal(lines.pop(), '', 'every line ends')
  assert.ok(lines.every((line) => /^[\x20-\x7e]+$/.test(line)))
  assert.deepEqual(lines.map((line) => JSON.parse(line).type), ['number_of_executions', 'result', 'end_of_execution'])
  assert.equal((await execute(box.it, { code: '1', context_id: 'python', language: 'python' })).status, 400)
  assert.equal((await execute(box.it, {})).status, 400)
  assert.equal((await execute(box.it, { code: ' '.repeat(1024 * 1024 + 1) })).status, 413)
  assert.equal((await execute(box.it, { code: '1', context_id: '../x' })).status, 404)
  assert.equal((await execute(box.it, { code: '1' }, {}, '/health')).status, 405)
})

test('R3 R4 R60a names live in a snapshot as they were at that moment, in every language', async (t) => {
  const source = await open(t, 'code-interpreter-v1')
  await source.runCode('total = 42\ndef double(n):\n  return 2 * n')
  await source.runCode('const totals = [42]', { language: 'javascript' })
  await source.runCode('total=42', { language: 'bash' })
  const snapshot = await capture(t, source)
  assert.equal(await value(source, 'total = 1\ntotal'), '1')
  const restored = await open(t, snapshot.snapshotId)
  assert.equal(await value(restored, 'total'), '42')
  assert.equal(await value(restored, 'double(total)'), '84')
  assert.equal(await value(restored, 'totals', { language: 'javascript' }), '[ 42 ]')
  assert.deepEqual((await restored.runCode('echo $total', { language: 'bash' })).logs.stdout, ['42\n'])
  assert.equal(await value(restored, 'import os\nos.environ["HOLDFAST_SANDBOX_ID"]'), restored.sandboxId)
  await restored.pause()
  const resumed = await Sandbox.connect(restored.sandboxId)
  assert.equal(await value(resumed, 'total'), '42')
  const [forked] = await resumed.fork({ timeoutMs: 120_000 })
  endLater(t, forked)
  assert.equal(await value(forked, 'total += 1\ntotal'), '43')
  assert.equal(await value(resumed, 'total'), '42')
})

test('R76 code that runs while it is saved runs on in the source and in what is made from it', async (t) => {
  const source = await open(t, 'code-interpreter-v1')
  const code = 'import time\nfor tick in range(40):\n  time.sleep(0.1)\nprint("done", tick)'
  const running = source.runCode(code)
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  const snapshot = await capture(t, source)
  assert.deepEqual((await running).logs.stdout, ['done 39\n'])
  const restored = await open(t, snapshot.snapshotId)
  assert.equal(await value(restored, 'tick'), '39')
})

test('a template without IPython has a plain Python, and says what it lacks', async (t) => {
  const sandbox = await open(t, 'base')
  const { logs, text } = await sandbox.runCode('print("plain")\n{"a": 1}')
  assert.deepEqual([logs.stdout, text], [['plain\n'], "{'a': 1}"])
  const refused = await execute(sandbox, { code: '1', language: 'javascript' })
  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /needs node, which this template lacks/)
  await sandbox.kill()
  await eventually('it is gone', () => execute(sandbox, { code: '1' }), (answer) => answer.status === 502)
})

function execute(sandbox, body, headers = {}, path = '/execute') {
  return fetch(address.sandbox + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'E2b-Sandbox-Id': sandbox.sandboxId,
      'E2b-Sandbox-Port': '49999',
      'X-Access-Token': sandbox.envdAccessToken,
      ...headers,
    },
    body: JSON.stringify(body),
  })
}
