import recording

# Before anything of the package is bound by name.
recording.install()

import os  # noqa: E402
import pathlib  # noqa: E402

import pytest  # noqa: E402

from faces import FACES  # noqa: E402
from stage import Stage  # noqa: E402


def pytest_collection_modifyitems(config, items):
    """Where there is no time for both faces, every other test has the one and the rest the other."""
    if os.environ.get("HOLDFAST_TEST_FACES", "both") == "both":
        return
    tests = {}
    kept, left = [], []
    for item in items:
        params = item.callspec.params if hasattr(item, "callspec") else {}
        face = params.get("face")
        test = (item.originalname, str(sorted((name, str(value)) for name, value in params.items() if name != "face")))
        turn = tests.setdefault(test, len(tests)) % 2
        (kept if face is None or face == ("sync", "async")[turn] else left).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = kept


def pytest_sessionfinish(session):
    program = pathlib.Path(session.config.args[0]).name
    recording.write(program)


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="module", params=["sync", "async"])
def face(request):
    return FACES[request.param]


@pytest.fixture(autouse=True)
def differing(request, record_property):
    for mark in request.node.iter_markers("differs"):
        record_property("differs", mark.args[0])


@pytest.fixture(scope="module")
async def box(face, anyio_backend):
    """One sandbox for the tests of a program that do not disturb each other."""
    sandbox = await face.Sandbox.create("base", timeout=600, envs={"OF_SANDBOX": "sandbox", "OVERRIDDEN": "sandbox"})
    yield sandbox
    await sandbox.kill()


@pytest.fixture
async def stage(face, anyio_backend):
    """Opens what ends with the test."""
    stage = Stage(face)
    yield stage
    await stage.clear()


@pytest.fixture(scope="session")
def other_key():
    return os.environ["HOLDFAST_OTHER_API_KEY"]
