"""Network: user ports, private traffic, lists of addresses, a policy that changes."""

import re

import e2b
import httpx
import pytest

from stage import eventually, refused

pytestmark = pytest.mark.anyio

EVERYWHERE = "0.0.0.0/0"
# A public address that nobody has; what matters is whether the packet may leave.
ADDRESS = "203.0.113.250"

REACH = """import errno, socket, sys
try:
    socket.create_connection((sys.argv[1], 80), timeout=2).close()
    print("open")
except socket.timeout:
    print("timeout")
except OSError as failure:
    print(errno.errorcode.get(failure.errno, "other"))
"""


@pytest.fixture
async def http(anyio_backend):
    async with httpx.AsyncClient(base_url=e2b.ConnectionConfig()._sandbox_url, timeout=30) as client:
        yield client


async def serve(face, sandbox, port, text):
    await sandbox.files.write("/home/user/site/index.html", text)
    await face.start(sandbox, f"exec python3 -m http.server {port} --directory /home/user/site")
    ready = lambda: sandbox.commands.run(f"curl -s localhost:{port}/ || true")  # noqa: E731
    await eventually(f"port {port} answers", ready, lambda result: result.stdout == text)


async def test_a_user_port_by_the_name_of_get_host(face, box, http):
    host = box.get_host(3000)
    assert host == f"3000-{box.sandbox_id}.{box.sandbox_domain}"
    assert re.fullmatch(r"https://50005-.*/mcp", box.get_mcp_url())
    await serve(face, box, 3000, "served")
    answer = await http.get("/", headers={"Host": host})
    assert (answer.status_code, answer.text) == (200, "served")
    assert (await http.get("/", headers={"Host": box.get_host(3999)})).status_code == 502
    assert box.traffic_access_token is None


async def test_private_traffic(face, stage, http):
    sandbox = await stage.open(network={"allow_public_traffic": False})
    assert (await sandbox.get_info()).network["allow_public_traffic"] is False
    await serve(face, sandbox, 3000, "private")
    host = {"Host": sandbox.get_host(3000)}
    assert (await http.get("/", headers=host)).status_code == 403
    token = {"e2b-traffic-access-token": sandbox.traffic_access_token}
    assert (await http.get("/", headers={**host, **token})).text == "private"


async def test_lists_are_kept_and_told(face, stage):
    deny = {"allow_out": ["8.8.8.8"], "deny_out": lambda ctx: [ctx.all_traffic]}
    sandbox = await stage.open(network=deny)
    network = (await sandbox.get_info()).network
    assert (network["allow_out"], network["deny_out"]) == (["8.8.8.8"], [EVERYWHERE])
    masked = await stage.open(network={"mask_request_host": "localhost:${PORT}"})
    assert (await masked.get_info()).network["mask_request_host"] == "localhost:${PORT}"


async def test_a_policy_is_replaced_as_a_whole(face, stage):
    sandbox = await stage.open()
    await sandbox.update_network({"deny_out": [EVERYWHERE], "allow_out": ["8.8.8.8/32"]})
    network = (await sandbox.get_info()).network
    assert (network["allow_out"], network["deny_out"]) == (["8.8.8.8/32"], [EVERYWHERE])
    await face.Sandbox.update_network(sandbox.sandbox_id, {"allow_internet_access": False})
    network = (await sandbox.get_info()).network
    assert not network.get("allow_out"), "what was left out is cleared"
    await sandbox.files.write("/home/user/reach.py", REACH)
    assert (await sandbox.commands.run(f"python3 reach.py {ADDRESS}")).stdout != "open\n"
    assert (await sandbox.commands.run("echo works")).stdout == "works\n"


async def test_no_internet_access(face, stage):
    sandbox = await stage.open(allow_internet_access=False)
    assert (await sandbox.get_info()).allow_internet_access is False


async def test_lists_that_make_no_sense(face, box):
    for network in ({"allow_out": ["not an address!"]}, {"allow_out": ["example.com"]}, {"deny_out": ["300.1.1.1/32"]}):
        with refused(400):
            await face.Sandbox.create("base", network=network)
    with refused(400):
        await box.update_network({"deny_out": ["1.2.3.4/99"]})


@pytest.mark.parametrize(
    "member",
    [
        pytest.param(name, marks=pytest.mark.differs(f"{name} is refused by name"))
        for name in ("dnsServers", "httpsPorts")
    ],
)
async def test_what_is_not_offered_is_refused_by_name(face, member):
    network = {"dnsServers": {"dns_servers": ["1.1.1.1"]}, "httpsPorts": {"https_ports": [3000]}}[member]
    with refused(400, member):
        await face.Sandbox.create("base", network=network)
