"""What the fuzzer knows of the native API: which answers are none, with what it may play, and that it cleans up after itself.

It plays in one project and administers another, both made for it; nothing that it names by chance exists. The keys and the IDs come
from the environment. The stateful phase is left out: it would name what lists show, and those of the service show what is others'.
"""

import json
import os
import threading

import requests
import schemathesis

API = os.environ["E2B_API_URL"]
KEY = {"X-API-Key": os.environ["E2B_API_KEY"]}
ADMIN = {"X-API-Key": os.environ["HOLDFAST_ADMIN_KEY"]}
PROJECT = os.environ["HOLDFAST_PROJECT"]
VICTIM = os.environ["HOLDFAST_VICTIM"]
LIMIT = 60

# What the service has made for the fuzzer cannot be taken away again: a project stays.
MOST_PROJECTS = 5

with open(os.environ["HOLDFAST_DESCRIPTION"]) as described:
    RESPONSES = json.load(described)["components"]["responses"]

INSIDE = ("\tat ", "java.lang.", "jakarta.", "org.jboss", "dev.holdfast.", "Traceback (most")

_lock = threading.RLock()
_things = {}
_turn = 0
_projects = 0


def documented(case, status):
    """The reasons that an answer of this status may have."""
    answer = case.operation.definition.raw["responses"].get(str(status), {})
    return RESPONSES[answer["$ref"].rsplit("/", 1)[1]]["x-reasons"] if "$ref" in answer else answer.get("x-reasons", [])


@schemathesis.check
def is_documented(ctx, response, case):
    """Every refusal is a problem with one of the reasons that the document names, and is no failure that nobody foresaw."""
    status = response.status_code
    if status < 400 or case.method.upper() == "TRACE":  # which is refused before anything that reads a path
        return
    content = response.headers.get("content-type", [""])[0]
    assert content.startswith("application/problem+json"), f"{status} is {content}"
    body = json.loads(response.text)
    assert body["status"] == status and body["detail"] and body["requestId"], response.text[:400]
    assert body["reason"] != "internal_error", response.text[:400]
    if status != 405:
        allowed = documented(case, status)
        assert body["reason"] in allowed, f"{status} {body['reason']} is not one of {allowed}: {body['detail'][:200]}"
    sent = f"{case.path_parameters} {case.query} {case.headers} {case.body}"
    shown = [word for word in INSIDE if word in response.text and word.strip() not in sent]
    assert not shown, f"the inside shows: {response.text[:400]}"


def thing(name, alive, make):
    with _lock:
        if name not in _things or not alive(_things[name]):
            _things[name] = make()
        return _things[name]


def sandbox():
    def make():
        made = requests.post(f"{API}/v2/sandboxes", headers=KEY, json={"templateID": "base", "timeout": 600}, timeout=LIMIT)
        return made.json().get("sandboxID", "none")

    return thing("sandbox", lambda one: ok(KEY, f"/sandboxes/{one}"), make)


def snapshot():
    def make():
        made = requests.post(f"{API}/api/v1/projects/{PROJECT}/sandboxes/{sandbox()}/snapshots", headers=KEY, timeout=LIMIT)
        return made.json().get("id", "none")

    return thing("snapshot", lambda one: one in saved(), make)


def saved():
    rows = requests.get(f"{API}/api/v1/projects/{PROJECT}/snapshots", headers=KEY, timeout=LIMIT).json()
    return [row["id"] for row in rows.get("snapshots", [])]


def key(headers, path):
    def make():
        body = {"name": "to be changed"}
        return requests.post(API + path, headers=headers, json=body, timeout=LIMIT).json().get("id", "none")

    def alive(one):
        shown = requests.get(f"{API}{path}/{one}", headers=headers, timeout=LIMIT)
        return shown.status_code == 200 and shown.json()["state"] == "active"

    return thing(path, alive, make)


def ok(headers, path):
    return requests.get(API + path, headers=headers, timeout=LIMIT).status_code == 200


@schemathesis.hook
def before_call(context, case, kwargs):
    global _turn
    _turn += 1
    of_service = case.path.startswith("/api/v1/admin/")
    if _turn % 16:
        case.headers.pop("Authorization", None)
        case.headers.update(ADMIN if of_service else KEY)
    named = case.path_parameters or {}
    if "project" in named and _turn % 8:
        named["project"] = VICTIM if of_service else PROJECT
    if "id" in named and _turn % 4 == 0:
        named["id"] = sandbox()
    if "reference" in named and _turn % 2:
        named["reference"] = snapshot()
    if "key" in named and _turn % 2:
        named["key"] = key(ADMIN, "/api/v1/admin/keys") if of_service else key(KEY, f"/api/v1/projects/{PROJECT}/keys")
    if "template" in named and _turn % 2 and case.method.upper() == "GET":
        named["template"] = "base"
    if case.path.endswith("/hold"):  # nobody could lift it
        named["reference"] = "00000000-0000-0000-0000-000000000000"
    if case.path == "/api/v1/admin/projects" and case.method.upper() == "POST" and _projects >= MOST_PROJECTS:
        case.body = {}


@schemathesis.hook
def after_call(context, case, response):
    """What a call made goes at once."""
    global _projects
    if case.path.endswith("/pin") and response.status_code == 200 and case.method.upper() == "PUT":
        requests.delete(API + case.formatted_path, headers=KEY, timeout=LIMIT)
    if response.status_code not in (201, 202):
        return
    made = json.loads(response.text)
    if case.path.endswith("/webhooks"):
        requests.delete(f"{API}{case.formatted_path}/{made['id']}", headers=KEY, timeout=LIMIT)
    elif case.path.endswith("/keys"):
        admin = case.path.startswith("/api/v1/admin/")
        requests.delete(API + response.headers["location"][0], headers=ADMIN if admin else KEY, timeout=LIMIT)
    elif case.path.endswith("/admin/projects"):
        _projects += 1
    elif case.path.endswith("/restore"):
        requests.delete(f"{API}/sandboxes/{made['sandbox']['id']}", headers=KEY, timeout=LIMIT)
    elif case.path.endswith("/snapshots") and response.status_code == 201:
        requests.delete(f"{API}/api/v1/projects/{PROJECT}/snapshots/{made['id']}", headers=KEY, timeout=LIMIT)
    elif case.path.endswith("/templates"):
        requests.delete(f"{API}/api/v1/projects/{PROJECT}/templates/{made['id']}", headers=KEY, timeout=LIMIT)
