import assert from 'node:assert/strict'
import { test } from 'node:test'
import './recording.mjs'
import { Sandbox } from '../sdk.mjs'
import { eventually, shared, sleep } from './stage.mjs'

const box = shared({ metadata: { area: 'metrics' } })
const some = (read) => eventually('there are metrics', read, (metrics) => metrics.length > 0, 30_000, 500)

test('metrics say what the sandbox has and uses', async () => {
  const info = await box.it.getInfo()
  const metrics = await some(() => box.it.getMetrics())
  for (const metric of metrics) {
    assert.equal(metric.cpuCount, info.cpuCount)
    assert.equal(metric.memTotal, info.memoryMB << 20)
    assert.ok(metric.cpuUsedPct >= 0 && metric.cpuUsedPct <= 100 * metric.cpuCount + 5, `${metric.cpuUsedPct} %`)
    assert.ok(metric.memUsed > 0 && metric.memUsed <= metric.memTotal, `${metric.memUsed} bytes`)
    assert.ok(metric.memCache >= 0)
    assert.ok(metric.diskTotal > 0 && metric.diskUsed >= 0 && metric.diskUsed <= metric.diskTotal)
    assert.ok(metric.timestamp >= info.startedAt.getTime() - 10_000 && metric.timestamp <= Date.now() + 10_000)
  }
  const moments = metrics.map((metric) => metric.timestamp.getTime())
  assert.deepEqual(moments, [...moments].sort((a, b) => a - b), 'the newest is last')
})

test('work shows in the metrics: processor, memory, disk', { timeout: 120_000 }, async () => {
  const before = (await some(() => box.it.getMetrics())).at(-1)
  await box.it.commands.run('head -c 60M /dev/urandom > /home/user/on-disk && sync')
  const burning = await box.it.commands.run(
    `exec python3 -c "import time; x = bytearray(b'x') * (80 << 20); end = time.time() + 60\nwhile time.time() < end: pass"`,
    { background: true, timeoutMs: 0 },
  )
  burning.wait().catch(() => {})
  const wanted = (metric) =>
    metric.cpuUsedPct > 20 && metric.memUsed > before.memUsed + (50 << 20) && metric.diskUsed > before.diskUsed + (40 << 20)
  await eventually('the work shows', () => box.it.getMetrics(), (metrics) => metrics.some(wanted), 60_000, 1_000)
  await burning.kill()
})

test('a window shows what lies in it', async () => {
  const metrics = await some(() => Sandbox.getMetrics(box.it.sandboxId))
  const [start, end] = [metrics[0].timestamp, metrics.at(-1).timestamp]
  // The package asks for whole seconds.
  const [from, to] = [new Date(start.getTime() - 1_000), new Date(end.getTime() + 1_000)]
  const within = await box.it.getMetrics({ start: from, end: to })
  assert.ok(within.length > 0)
  for (const { timestamp } of within) {
    assert.ok(timestamp >= start.getTime() - 10_000 && timestamp <= end.getTime() + 10_000)
  }
  await sleep(0)
  const before = new Date(start.getTime() - 3_600_000)
  assert.deepEqual(await box.it.getMetrics({ start: before, end: new Date(before.getTime() + 60_000) }), [])
})
