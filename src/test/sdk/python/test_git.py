"""Git as the SDK drives it."""

import e2b
import pytest

from stage import new_name

pytestmark = pytest.mark.anyio
AUTHOR = {"author_name": "A. Author", "author_email": "author@example.com"}


@pytest.fixture
async def path(box):
    """A repository with one commit on main."""
    path = f"/home/user/{new_name('repo')}"
    await box.git.init(path, initial_branch="main")
    await box.files.write(f"{path}/a.txt", "first\n")
    await box.git.add(path)
    await box.git.commit(path, "first", **AUTHOR)
    return path


@pytest.fixture
async def remote(box):
    remote = f"/home/user/{new_name('bare')}.git"
    await box.git.init(remote, bare=True, initial_branch="main")
    return remote


async def test_commits(box, path):
    log = await box.commands.run('git log --format="%an <%ae> %s"', cwd=path)
    assert log.stdout == "A. Author <author@example.com> first\n"
    await box.git.commit(path, "nothing", allow_empty=True, **AUTHOR)
    with pytest.raises(e2b.CommandExitException):
        await box.git.commit(path, "nothing", **AUTHOR)


async def test_status(box, path):
    assert (await box.git.status(path)).is_clean is True
    await box.files.write_files([{"path": f"{path}/{name}", "data": "x\n"} for name in ("a.txt", "b.txt", "c.txt")])
    await box.git.add(path, files=["c.txt"])
    status = await box.git.status(path)
    assert status.current_branch == "main"
    assert sorted((file.name, file.status, file.staged) for file in status.file_status) == [
        ("a.txt", "modified", False),
        ("b.txt", "untracked", False),
        ("c.txt", "added", True),
    ]


async def test_branches(box, path):
    await box.git.create_branch(path, "feature")
    branches = await box.git.branches(path)
    assert (sorted(branches.branches), branches.current_branch) == (["feature", "main"], "feature")
    await box.git.checkout_branch(path, "main")
    await box.git.delete_branch(path, "feature")
    assert (await box.git.branches(path)).branches == ["main"]


async def test_reset_and_restore(box, path):
    await box.files.write(f"{path}/a.txt", "second\n")
    await box.git.add(path, all=True)
    await box.git.commit(path, "second", **AUTHOR)
    await box.git.reset(path, mode="hard", target="HEAD~1")
    assert await box.files.read(f"{path}/a.txt") == "first\n"
    await box.files.write(f"{path}/a.txt", "changed\n")
    await box.git.restore(path, paths=["a.txt"])
    assert await box.files.read(f"{path}/a.txt") == "first\n"


async def test_settings(box, path):
    await box.git.set_config("pull.rebase", "true", scope="local", path=path)
    assert await box.git.get_config("pull.rebase", scope="local", path=path) == "true"
    await box.git.configure_user("U. Ser", "user@example.com")
    assert await box.git.get_config("user.name", scope="global") == "U. Ser"
    await box.git.dangerously_authenticate("alice", "s3cret", host="git.example", protocol="https")


async def test_remotes(box, path, remote):
    await box.git.remote_add(path, "origin", remote)
    assert await box.git.remote_get(path, "origin") == remote
    assert await box.git.remote_get(path, "other") is None
    with pytest.raises(e2b.GitUpstreamException):
        await box.git.pull(path)
    await box.git.push(path, remote="origin", branch="main", set_upstream=True)
    copy = f"/home/user/{new_name('copy')}"
    await box.git.clone(remote, copy, branch="main")
    assert await box.files.read(f"{copy}/a.txt") == "first\n"
    await box.files.write(f"{path}/a.txt", "second\n")
    await box.git.add(path)
    await box.git.commit(path, "second", **AUTHOR)
    await box.git.push(path)
    await box.git.pull(copy)
    assert await box.files.read(f"{copy}/a.txt") == "second\n"
