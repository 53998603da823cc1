"""Files: every form in and out, entries, links, depth, rename, paths, metadata."""

import io
import os
import time

import e2b
import pytest
from e2b import FileType

from stage import new_name

pytestmark = pytest.mark.anyio


@pytest.fixture
async def at(box):
    """A directory of the test's own."""
    path = f"/home/user/{new_name('place')}"
    await box.files.make_dir(path)
    return path


async def test_R123_text_of_any_alphabet(box, at):
    text = "Grüße, 世界 𝄞\nsecond line\r\n"
    written = await box.files.write(f"{at}/text.txt", text)
    assert (written.name, written.path, written.type, written.metadata) == ("text.txt", f"{at}/text.txt", FileType.FILE, None)
    assert await box.files.read(f"{at}/text.txt") == text
    await box.files.write(f"{at}/text.txt", "short")
    assert await box.files.read(f"{at}/text.txt") == "short"


async def test_every_form_in_and_out(face, box, at):
    for length in (0, 1, 32_768, 65_537, 3_000_000):
        content = os.urandom(length)
        await box.files.write(f"{at}/bytes", content)
        await box.files.write(f"{at}/file", io.BytesIO(content))
        await box.files.write(f"{at}/chunks", face.chunks([content[:1000], content[1000:]]))
        for name in ("bytes", "file", "chunks"):
            assert bytes(await box.files.read(f"{at}/{name}", format="bytes")) == content, (name, length)
        assert await face.collected(await box.files.read(f"{at}/file", format="stream")) == content
    await box.files.write(f"{at}/words", io.StringIO("ein Text, gelesen wie eine Datei ä"))
    assert await box.files.read(f"{at}/words", format="text") == "ein Text, gelesen wie eine Datei ä"


async def test_octets_and_gzip_both_ways(box, at):
    content = b"again and again, " * 20_000
    await box.files.write(f"{at}/octets", content, use_octet_stream=True)
    await box.files.write(f"{at}/zipped", content, gzip=True)
    await box.files.write(f"{at}/stream", io.BytesIO(content), gzip=True)
    for name in ("octets", "zipped", "stream"):
        assert bytes(await box.files.read(f"{at}/{name}", format="bytes")) == content, name
    assert bytes(await box.files.read(f"{at}/octets", format="bytes", gzip=True)) == content


async def test_a_stream_may_be_left_in_the_middle(face, box, at):
    await box.files.write(f"{at}/big", os.urandom(2_000_000))
    reader = await box.files.read(f"{at}/big", format="stream")
    if face.name == "sync":
        next(reader)
        reader.close()
    else:
        await anext(reader)
        await reader.aclose()
    assert (await box.commands.run("echo works")).stdout == "works\n"


async def test_several_files_at_once(box, at):
    files = [{"path": f"{at}/deep/{i}/file {i} ä.txt", "data": f"content {i}"} for i in range(20)]
    written = await box.files.write_files(files)
    assert [file.path for file in written] == [file["path"] for file in files]
    for file in files:
        assert await box.files.read(file["path"]) == file["data"]
    assert await box.files.write_files([]) == []
    with pytest.raises(e2b.InvalidArgumentException):
        await box.files.write_files([{"path": f"{at}/same", "data": "1"}, {"path": f"{at}/same", "data": "2"}])


async def test_what_an_entry_says(box, at):
    await box.files.write(f"{at}/b.txt", "twelve bytes")
    await box.commands.run(f"chmod 640 {at}/b.txt; mkdir {at}/dir")
    entry = await box.files.get_info(f"{at}/b.txt")
    assert (entry.name, entry.path, entry.type, entry.size) == ("b.txt", f"{at}/b.txt", FileType.FILE, 12)
    assert (entry.mode, entry.permissions, entry.owner, entry.group) == (0o640, "-rw-r-----", "user", "user")
    assert abs(entry.modified_time.timestamp() - time.time()) < 60
    assert entry.symlink_target is None
    assert (await box.files.get_info(f"{at}/dir")).type == FileType.DIR


async def test_links(box, at):
    await box.files.write(f"{at}/target", "behind the link")
    await box.commands.run(f"cd {at}; ln -s target link; mkdir d; ln -s d dirlink; ln -s loop loop; ln -s none broken")
    link = await box.files.get_info(f"{at}/link")
    assert (link.type, link.symlink_target, link.path) == (FileType.SYMLINK, f"{at}/target", f"{at}/link")
    assert await box.files.read(f"{at}/link") == "behind the link"
    assert [entry.name for entry in await box.files.list(at)] == ["broken", "d", "dirlink", "link", "loop", "target"]
    await box.files.write(f"{at}/d/inside", "x")
    assert [entry.name for entry in await box.files.list(f"{at}/dirlink")] == ["inside"]
    with pytest.raises(e2b.SandboxException):
        await box.files.list(f"{at}/loop")


async def test_depth(box, at):
    await box.files.write_files([{"path": f"{at}/{name}", "data": name} for name in ("b/2", "b/1/x", "a")])
    paths = lambda entries: [entry.path[len(at) + 1 :] for entry in entries]  # noqa: E731
    assert paths(await box.files.list(at)) == ["a", "b"]
    assert paths(await box.files.list(at, depth=2)) == ["a", "b", "b/1", "b/2"]
    assert paths(await box.files.list(at, depth=3)) == ["a", "b", "b/1", "b/1/x", "b/2"]
    with pytest.raises(e2b.InvalidArgumentException):
        await box.files.list(at, depth=0)
    with pytest.raises(e2b.InvalidArgumentException):
        await box.files.list(f"{at}/a")
    with pytest.raises(e2b.FileNotFoundException):
        await box.files.list(f"{at}/none")


async def test_directories_rename_exists_remove(box, at):
    assert await box.files.make_dir(f"{at}/box/inner") is True
    assert await box.files.make_dir(f"{at}/box/inner") is False
    await box.files.write(f"{at}/from", "moved")
    with pytest.raises(e2b.InvalidArgumentException):
        await box.files.make_dir(f"{at}/from")
    moved = await box.files.rename(f"{at}/from", f"{at}/new/way/to")
    assert (moved.path, moved.name) == (f"{at}/new/way/to", "to")
    assert await box.files.exists(f"{at}/from") is False
    assert await box.files.exists(f"{at}/new/way/to") is True
    with pytest.raises(e2b.FileNotFoundException):
        await box.files.rename(f"{at}/none", f"{at}/x")
    await box.files.remove(f"{at}/new")
    await box.files.remove(f"{at}/new")
    with pytest.raises(e2b.FileNotFoundException):
        await box.files.read(f"{at}/new/way/to")
    with pytest.raises(e2b.FileNotFoundException):
        await box.files.get_info(f"{at}/new")


async def test_relative_paths_and_the_home(box):
    name = new_name("relative")
    await box.files.write(f"{name}/plain", "1")
    for path in (f"/home/user/{name}/plain", f"~/{name}/plain", f"/home/user/../user/./{name}//plain"):
        assert await box.files.read(path) == "1", path
    assert (await box.files.get_info("~", user="root")).path == "/root"


async def test_users(box, at):
    await box.files.write(f"{at}/of-root", "x", user="root")
    assert (await box.files.get_info(f"{at}/of-root")).owner == "root"
    with pytest.raises(e2b.AuthenticationException):
        await box.files.read(f"{at}/of-root", user="nobody-here")
    with pytest.raises(e2b.InvalidArgumentException):
        await box.files.read(at)
    with pytest.raises(e2b.InvalidArgumentException):
        await box.files.write(at, "x")


async def test_metadata(box, at):
    metadata = {"owner": "agent-7", "purpose": "a test & more"}
    written = await box.files.write(f"{at}/tagged", "x", metadata=metadata)
    assert written.metadata == metadata
    assert (await box.files.get_info(f"{at}/tagged")).metadata == metadata
    assert (await box.files.list(at))[0].metadata == metadata
    await box.files.write(f"{at}/tagged", io.BytesIO(b"y"), metadata={"Only": "this"})
    assert (await box.files.get_info(f"{at}/tagged")).metadata == {"only": "this"}
    assert (await box.files.rename(f"{at}/tagged", f"{at}/moved")).metadata == {"only": "this"}
    for file in await box.files.write_files([{"path": f"{at}/{n}", "data": "x"} for n in "12"], metadata=metadata):
        assert file.metadata == metadata


async def test_a_full_disk(box):
    # A device of one megabyte fills at once.
    made = "mkdir -p /mnt/small && (mountpoint -q /mnt/small || mount -t tmpfs -o size=1m none /mnt/small) && chmod 777 /mnt/small"
    await box.commands.run(made, user="root")
    with pytest.raises(e2b.NotEnoughSpaceException):
        await box.files.write("/mnt/small/big", b"x" * (4 << 20))
    assert (await box.commands.run("echo works")).stdout == "works\n"
