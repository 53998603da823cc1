"""Metrics: what a sandbox has and uses, in a window."""

import datetime
import time

import pytest

from stage import eventually

pytestmark = pytest.mark.anyio


async def some(read):
    return await eventually("there are metrics", read, bool, 30, 0.5)


async def test_what_it_has_and_uses(face, box):
    info = await box.get_info()
    metrics = await some(box.get_metrics)
    for metric in metrics:
        assert metric.cpu_count == info.cpu_count
        assert metric.mem_total == info.memory_mb << 20
        assert 0 < metric.mem_used <= metric.mem_total and metric.mem_cache >= 0
        assert metric.cpu_used_pct >= 0
        assert 0 <= metric.disk_used <= metric.disk_total and metric.disk_total > 0
        assert info.started_at.timestamp() - 10 <= metric.timestamp.timestamp() <= time.time() + 10
    moments = [metric.timestamp for metric in metrics]
    assert moments == sorted(moments)


async def test_a_window(face, box):
    metrics = await some(lambda: face.Sandbox.get_metrics(box.sandbox_id))
    start, end = metrics[0].timestamp, metrics[-1].timestamp
    for metric in await box.get_metrics(start, end):
        assert start.timestamp() - 10 <= metric.timestamp.timestamp() <= end.timestamp() + 10
    before = start - datetime.timedelta(hours=1)
    assert await box.get_metrics(before, before + datetime.timedelta(minutes=1)) == []
