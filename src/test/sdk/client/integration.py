"""R2 R14 R15 R28 R47 R54 R55 R64 R69 R104 R154: what an integration does, with nothing but the client that was generated from the
document: capture and wait, list and search, restore, delete in bulk with one failure, and try again only what failed."""

import importlib
import inspect
import os
import pkgutil
import time
import typing
from uuid import UUID

import attrs
import httpx
import holdfast_client.api
import holdfast_client.models
from holdfast_client import AuthenticatedClient
from holdfast_client.api.operations import get_operation
from holdfast_client.api.sandboxes import get_sandbox
from holdfast_client.api.snapshots import capture_sandbox, delete_snapshots, get_snapshot, list_snapshots, restore_snapshot
from holdfast_client.models import (
    CaptureRequest,
    CaptureRequestLabels,
    DeletionItemOutcome,
    DeletionOutcome,
    DeletionPreview,
    DeletionRequest,
    Operation,
    OperationState,
    Problem,
    RestoredSandbox,
    RestoreRequest,
    SandboxState,
    Snapshot,
    SnapshotPage,
    Verdict,
)
from holdfast_client.types import UNSET, Unset

PROJECT = os.environ["HOLDFAST_PROJECT"]
SANDBOX = os.environ["HOLDFAST_SANDBOX"]
SHORT_LIFE = 10

client = AuthenticatedClient(
    base_url=os.environ["HOLDFAST_URL"],
    token=os.environ["HOLDFAST_API_KEY"],
    prefix="",
    auth_header_name="X-API-Key",
    raise_on_unexpected_status=True,
    timeout=httpx.Timeout(120),
)


def typed_out():
    """Whatever has a body has a type of its own for it."""
    for package in pkgutil.iter_modules(holdfast_client.api.__path__):
        nouns = importlib.import_module(f"holdfast_client.api.{package.name}")
        for each in pkgutil.iter_modules(nouns.__path__):
            call = importlib.import_module(f"holdfast_client.api.{package.name}.{each.name}")
            hints = typing.get_type_hints(call.sync_detailed)
            given = {name: hint for name, hint in hints.items() if name != "return"}
            assert typing.Any not in [part for hint in given.values() for part in (hint, *typing.get_args(hint))], (each.name, given)
            returned = typing.get_args(typing.get_args(hints["return"])[0])
            empty = "status_code == 204" in inspect.getsource(call)
            assert empty or typing.Any not in returned, (each.name, returned)
            assert Problem in returned, (each.name, returned)
    for name in holdfast_client.models.__all__:
        model = getattr(holdfast_client.models, name)
        for member in attrs.fields(model) if attrs.has(model) else ():
            assert member.name == "additional_properties" or "Any" not in str(member.type), (name, member)


def expect(kind, answer):
    assert isinstance(answer, kind), answer
    return answer


def capture_and_wait():
    """R104: accepted at once, then waited for."""
    operation = expect(
        Operation, capture_sandbox.sync(PROJECT, SANDBOX, client=client, body=CaptureRequest(), prefer="respond-async")
    )
    while operation.state == OperationState.RUNNING:
        upload = str(operation.upload_id)
        operation = expect(Operation, get_operation.sync(PROJECT, upload, client=client, prefer="wait=30"))
    assert operation.state == OperationState.DONE, operation
    return expect(Snapshot, get_snapshot.sync(PROJECT, str(operation.snapshot_id), client=client))


def capture_named():
    labels = CaptureRequestLabels.from_dict({"step": "2"})
    body = CaptureRequest(name="deps-ready:v1", labels=labels)
    return expect(Snapshot, capture_sandbox.sync(PROJECT, SANDBOX, client=client, body=body))


def ids(**filters):
    """R28: all pages of a list."""
    found: list[UUID] = []
    after: str | Unset = UNSET
    while True:
        page = expect(SnapshotPage, list_snapshots.sync(PROJECT, client=client, limit=1, after=after, **filters))
        found += [each.id for each in page.snapshots]
        if not page.next_:
            return found
        after = page.next_


def search(first, second):
    """R14 R15: by part of an ID, of an upload ID, of a name; and by label."""
    assert ids() == [second.id, first.id]
    assert ids(search=str(first.id)[3:20]) == [first.id]
    assert ids(search=str(second.upload_id)[:12].upper()) == [second.id]
    assert ids(search="eps-rea") == [second.id]
    assert ids(label=["step=2"]) == [second.id]
    assert ids(label=["step=3"]) == []
    wrong = expect(Problem, list_snapshots.sync(PROJECT, client=client, search="ab"))
    assert (wrong.reason, wrong.parameter) == ("invalid_parameter", "search"), wrong


def restore(snapshot):
    would = expect(Verdict, restore_snapshot.sync(PROJECT, str(snapshot.id), client=client, body=RestoreRequest(), dry_run=True))
    assert would.restorable, would
    body = RestoreRequest(timeout=SHORT_LIFE)
    made = expect(RestoredSandbox, restore_snapshot.sync(PROJECT, str(snapshot.id), client=client, body=body))
    assert made.sandbox.state == SandboxState.RUNNING and made.sandbox.snapshot_id == snapshot.id, made
    return made.sandbox


def delete(*wanted):
    return expect(DeletionOutcome, delete_snapshots.sync(PROJECT, client=client, body=DeletionRequest(ids=list(wanted))))


def delete_in_bulk(first, second, occupant):
    """R47 R54 R154: one fails and does not stop the other."""
    both = [str(first.id), str(second.id)]
    seen = expect(DeletionPreview, delete_snapshots.sync(PROJECT, client=client, body=DeletionRequest(ids=both, preview=True)))
    assert seen.count == 2 and [each.id for each in seen.occupied] == [second.id], seen
    outcome = delete(*both)
    became = {each.id: each.outcome for each in outcome.items}
    assert became == {first.id: DeletionItemOutcome.DELETED, second.id: DeletionItemOutcome.OCCUPIED}, outcome
    assert outcome.failed == [str(second.id)] and outcome.deleted == 1, outcome
    assert [each.occupants for each in outcome.items if each.id == second.id] == [[occupant.id]], outcome
    return outcome.failed


def retry(failed, occupant):
    """R55: only what failed, once its occupant has ended."""
    until = time.monotonic() + 60
    while expect(type(occupant), get_sandbox.sync(PROJECT, occupant.id, client=client)).state != SandboxState.ENDED:
        assert time.monotonic() < until, "it lives longer than was asked for"
        time.sleep(0.5)
    outcome = delete(*failed)
    assert outcome.deleted == 1 and outcome.failed == [], outcome


def is_gone(snapshot):
    """R2 R69: it is in no list and is restored no more; the refusal says why."""
    assert ids() == []
    refused = expect(Problem, restore_snapshot.sync(PROJECT, str(snapshot.id), client=client, body=RestoreRequest()))
    assert (refused.status, refused.reason) == (404, "snapshot_deleted"), refused


typed_out()
one = capture_and_wait()
two = capture_named()
search(one, two)
lives = restore(two)
retry(delete_in_bulk(one, two, lives), lives)
is_gone(two)
