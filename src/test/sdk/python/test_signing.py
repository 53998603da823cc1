"""Signed URLs: read, write, expiry, user, tampering."""

import urllib.parse

import e2b
import httpx
import pytest

pytestmark = pytest.mark.anyio


def changed(url, **change):
    parts = urllib.parse.urlsplit(url)
    query = dict(urllib.parse.parse_qsl(parts.query))
    query.update(change)
    query = {name: value for name, value in query.items() if value is not None}
    return parts._replace(query=urllib.parse.urlencode(query)).geturl()


@pytest.fixture
async def http(anyio_backend):
    async with httpx.AsyncClient(timeout=30) as client:
        yield client


async def refused(http, url, message):
    answer = await http.get(url)
    assert answer.status_code == 401, answer.text
    assert answer.json()["code"] == 401
    assert message in answer.json()["message"]


async def test_reading_and_writing_by_url(box, http):
    await box.files.write("page.html", "<script>alert(1)</script>")
    answer = await http.get(box.download_url("page.html"))
    assert (answer.status_code, answer.text) == (200, "<script>alert(1)</script>")
    assert answer.headers["content-disposition"].startswith("attachment")
    written = await http.post(box.upload_url("up.txt"), files={"file": ("any", b"by form")})
    assert written.status_code == 200, written.text
    assert await box.files.read("/home/user/up.txt") == "by form"


async def test_the_user_is_signed(box, http):
    answer = await http.post(box.upload_url("/home/user/of-root", user="root"), files={"file": ("any", b"x")})
    assert answer.status_code == 200, answer.text
    assert (await box.files.get_info("/home/user/of-root")).owner == "root"
    await refused(http, changed(box.download_url("/home/user/of-root", user="root"), username="user"), "invalid signature")


async def test_an_expiry(box, http):
    await box.files.write("expiring", "x")
    url = box.download_url("expiring", use_signature_expiration=60)
    assert (await http.get(url)).status_code == 200
    await refused(http, changed(url, signature_expiration="1999999999"), "invalid signature")
    await refused(http, changed(url, signature_expiration=None), "invalid signature")
    await refused(http, box.download_url("expiring", use_signature_expiration=-10), "signature is already expired")


async def test_another_path_operation_or_sandbox(box, stage, http):
    await box.files.write("signed", "x")
    url = box.download_url("signed")
    await refused(http, changed(url, path="/etc/shadow"), "invalid signature")
    await refused(http, changed(url, signature="v1_AAAA"), "invalid signature")
    assert (await http.post(url, files={"file": ("any", b"x")})).status_code == 401
    other = await stage.open()
    assert (await http.get(other.download_url("signed"))).status_code == 404, "where no such file is"


async def test_names_that_need_quoting(box, http):
    for name in ("a b.txt", "ä+%2F&=.txt", "it's #1?.txt"):
        await box.files.write(name, name, use_octet_stream=True)
        assert (await http.get(box.download_url(name))).text == name


async def test_an_expiry_needs_a_token(face, box):
    config = box.connection_config
    assert config.api_key
    bare = e2b.Sandbox if face.name == "sync" else e2b.AsyncSandbox
    sandbox = bare(
        sandbox_id=box.sandbox_id,
        envd_version=e2b.sandbox_sync.main.Version("0.6.13"),
        envd_access_token=None,
        sandbox_domain=box.sandbox_domain,
        traffic_access_token=None,
        connection_config=e2b.ConnectionConfig(),
    )
    with pytest.raises(e2b.InvalidArgumentException):
        sandbox.download_url("x", use_signature_expiration=5)
    assert "signature" not in sandbox.download_url("x")
    assert sandbox.envd_api_url == box.envd_api_url
    assert sandbox.envd_direct_url == box.envd_direct_url
