"""The code interpreter, by the package that adds it to the SDK."""

import e2b
import e2b_code_interpreter as interpreter
import pytest
from e2b_code_interpreter.charts import BarChart, LineChart

from faces import in_thread

pytestmark = pytest.mark.anyio

KINDS = {"sync": interpreter.Sandbox, "async": interpreter.AsyncSandbox}


class Interpreter:
    """A sandbox of either face, whose calls are awaited."""

    def __init__(self, it):
        self.it = it

    @classmethod
    async def create(cls, face, *args, **opts):
        return cls(await _awaited(face.name, KINDS[face.name].create, *args, **opts))

    def __getattr__(self, name):
        face = "sync" if isinstance(self.it, interpreter.Sandbox) else "async"
        return lambda *args, **opts: _awaited(face, getattr(self.it, name), *args, **opts)

    async def value(self, code, **opts):
        execution = await self.run_code(code, **opts)
        assert execution.error is None, execution.error
        return execution.text


async def _awaited(face, call, *args, **opts):
    return await in_thread(call, *args, **opts) if face == "sync" else await call(*args, **opts)


@pytest.fixture(scope="module")
async def code(face, anyio_backend):
    """One sandbox for the tests that do not disturb each other."""
    box = await Interpreter.create(face, timeout=600, envs={"OF_SANDBOX": "sandbox"})
    yield box
    await box.kill()


async def test_r122_names_live_on_and_output_comes_as_it_is_written(code):
    lines = []
    first = await code.run_code(
        "import sys\ntotal = 42\nprint('größe 漢字')\nprint('err', file=sys.stderr)",
        on_stdout=lambda message: lines.append((message.line, message.timestamp)),
        on_stderr=lambda message: lines.append((message.line, message.timestamp)),
    )
    assert [line for line, _ in lines] == ["größe 漢字\n", "err\n"]
    assert all(stamp for _, stamp in lines)
    assert first.logs.stderr == ["err\n"]
    second = await code.run_code("total")
    assert (second.text, second.execution_count) == ("42", first.execution_count + 1)


async def test_results_in_their_formats_and_charts(code):
    execution = await code.run_code(
        "import pandas as pd, matplotlib.pyplot as plt\n"
        "from IPython.display import display\n"
        "display({'application/vnd.own': 'x'}, raw=True)\n"
        "plt.plot([1, 2], [3, 4], label='up'); plt.show()\n"
        "plt.barh(['a', 'b'], [1, 2])\n"
        "pd.DataFrame({'n': [1, 2]})"
    )
    assert execution.error is None, execution.error
    own, line, table, bars = execution.results
    assert own.extra == {"application/vnd.own": "x"}
    assert line.png and isinstance(line.chart, LineChart)
    assert line.chart.elements[0].points == [(1, 3), (2, 4)]
    assert isinstance(bars.chart, BarChart)
    assert [(bar.label, bar.value) for bar in bars.chart.elements] == [("a", 1), ("b", 2)]
    assert table.is_main_result and table.data == {"n": [1, 2]} and "<table" in table.html


async def test_an_error_and_a_client_that_gives_up(code):
    failed = await code.run_code("def fail():\n    raise ValueError('no')\nfail()")
    assert (failed.error.name, failed.error.value) == ("ValueError", "no")
    assert "raise ValueError" in failed.error.traceback
    with pytest.raises(e2b.TimeoutException):
        await code.run_code("import time\ntime.sleep(60)", timeout=1)
    assert await code.value("1 + 1") == "2"


async def test_contexts_languages_and_variables_of_a_call(code):
    languages = [context.language for context in await code.list_code_contexts()]
    assert {"python", "javascript"} <= set(languages)
    context = await code.create_code_context(cwd="/usr")
    ask = "import os\n[os.getcwd(), os.environ.get('CALL'), os.environ['OF_SANDBOX']]"
    assert await code.value(ask, context=context, envs={"CALL": "1"}) == "['/usr', '1', 'sandbox']"
    assert await code.value(ask, context=context) == "['/usr', None, 'sandbox']"
    await code.restart_code_context(context)
    assert (await code.run_code("ask", context=context)).error.name == "NameError"
    await code.remove_code_context(context)
    with pytest.raises(e2b.NotFoundException):
        await code.run_code("1", context=context)
    assert await code.value("[1, 2].map((n) => n * 2)", language="javascript") == "[ 2, 4 ]"
    with pytest.raises(e2b.SandboxException, match="'r' is not offered; allowed are python, javascript, bash"):
        await code.run_code("1", language="r")
    ended = await code.run_code("process.exit(3)", language="javascript")
    assert ended.error.name == "InterpreterEnded" and "exit code 3" in ended.error.value
    assert await code.value("typeof total", language="javascript") == "undefined"


async def test_r60a_total_is_42_in_what_is_made_from_a_snapshot(face, stage, code):
    source = await Interpreter.create(face, timeout=300)
    stage.later(source.it)
    await source.run_code("total = 42")
    snapshot = await stage.capture(source)
    await source.run_code("total = 1")
    restored = await Interpreter.create(face, snapshot.snapshot_id, timeout=300)
    stage.later(restored.it)
    assert await restored.value("total") == "42"
