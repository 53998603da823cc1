"""What the fuzzer knows of Holdfast: which answers are none, whose sandbox it plays with, and that it cleans up after itself.

The sandbox it plays with comes from the environment. A control-plane run may end it; then it makes another.
"""

import json
import os
import threading

import requests
import schemathesis

API = os.environ["E2B_API_URL"]
KEY = {"X-API-KEY": os.environ["E2B_API_KEY"]}
LIMIT = 60

# What a refusal may never show of the inside. (An answer to what was asked may: somebody may have named a key so.)
INSIDE = ("\tat ", "java.lang.", "jakarta.", "org.jboss", "dev.holdfast.", "Traceback (most")

_lock = threading.Lock()
_target = None


@schemathesis.check
def refuses_properly(ctx, response, case):
    """No failure of the server but one that the description names, and every refusal of the control plane in its shape."""
    status = response.status_code
    if status >= 500:
        documented = case.operation.definition.raw["responses"]
        assert str(status) in documented and status != 500, f"{status}: {response.text[:400]}"
    text = response.text if "json" in response.headers.get("content-type", [""])[0] else ""
    sent = f"{case.path_parameters} {case.query} {case.headers} {case.body}"
    shown = [word for word in INSIDE if word in text and word.strip() not in sent]
    assert status < 400 or not shown, f"the inside shows: {text[:400]}"
    if status >= 400 and text and "code" in (body := json.loads(text)) and isinstance(body["code"], int):
        assert body["code"] == status, f"{status} says {text[:200]}"
        assert body["message"], text[:200]


def target():
    """A live sandbox of our own."""
    global _target
    with _lock:
        if _target is None or requests.get(f"{API}/sandboxes/{_target}", headers=KEY, timeout=LIMIT).status_code == 404:
            made = requests.post(
                f"{API}/v2/sandboxes", headers=KEY, json={"templateID": "base", "timeout": 600}, timeout=LIMIT
            )
            _target = made.json()["sandboxID"] if made.status_code == 201 else None
        return _target


@schemathesis.hook
def before_call(context, case, kwargs):
    # A made-up ID is answered with 404 at once: half of the calls are for a sandbox that is there.
    mine = case.path_parameters and "id" in case.path_parameters and case.method.upper() != "DELETE"
    if mine and len(str(case.path_parameters["id"])) % 2 == 0:
        found = target()
        if found:
            case.path_parameters["id"] = found


@schemathesis.hook
def after_call(context, case, response):
    """What a call made goes at once, so that the fuzzer never fills the worker."""
    if response.status_code not in (200, 201) or case.method.upper() != "POST":
        return
    try:
        made = response.json()
    except ValueError:
        return
    for one in made if isinstance(made, list) else [made]:
        if not isinstance(one, dict):
            continue
        sandbox = one.get("sandboxID") or (one.get("sandbox") or {}).get("sandboxID")
        if sandbox and sandbox != _target:
            requests.delete(f"{API}/sandboxes/{sandbox}", headers=KEY, timeout=LIMIT)
        if one.get("snapshotID"):
            requests.delete(f"{API}/templates/{one['snapshotID']}", headers=KEY, timeout=LIMIT)
