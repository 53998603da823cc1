import recording

# Before anything of the package is bound by name.
recording.install()

import os  # noqa: E402
import pathlib  # noqa: E402

import pytest  # noqa: E402

from faces import FACES  # noqa: E402
from stage import Stage  # noqa: E402


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
