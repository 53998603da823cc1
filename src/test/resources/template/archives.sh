#!/bin/bash
# Makes the archives of the template tests from the image $1, in the directory $2: a root with little more than a
# shell and Python, as a tar archive, an OCI archive and a docker archive, and some that nobody should send.
set -euo pipefail
image=$1 there=$2
cd "$there"

lib=usr/lib/x86_64-linux-gnu
wanted=(bin sbin lib lib64 usr/lib64 etc/group etc/passwd etc/profile etc/shadow root tmp usr/lib/python3.11)
for program in bash cat dash hostname id ls python3 python3.11 sh sleep stat touch; do wanted+=("usr/bin/$program"); done
for library in acl attr c dl expat m pcre2-8 pthread selinux tinfo util z; do wanted+=("$lib/lib$library.so.*"); done
unsquashfs -q -n -d root "$image" "${wanted[@]}" "$lib/ld-linux-x86-64.so.2" >/dev/null
rm -rf root/usr/lib/python3.11/{ensurepip,idlelib,lib2to3,pydoc_data,distutils,unittest,asyncio}
sed -i '/^user:/d' root/etc/{passwd,group,shadow}
touch root/usr/bin/privileged
chmod 6755 root/usr/bin/privileged
mkdir -p root/dev/shm
mknod root/dev/null c 1 3
mknod root/dev/sda b 8 0
tar -C root -cf root.tar .

umoci init --layout layout
umoci new --image layout:one
umoci unpack --image layout:one bundle >/dev/null 2>&1
mv root/* bundle/rootfs/
umoci repack --image layout:one bundle >/dev/null 2>&1
umoci config --image layout:one --config.env GREETING=hello --config.cmd /bin/false --config.user 12
skopeo --insecure-policy copy -q oci:layout:one oci-archive:oci.tar:one
skopeo --insecure-policy copy -q oci:layout:one docker-archive:docker.tar:one:latest
mv bundle/rootfs root
rm -rf layout bundle

PYTHONHASHSEED=0 python3 - <<'PYTHON'
import gzip
import io
import shutil
import tarfile


def archive(name, *members):
    with tarfile.open(name, "w", format=tarfile.GNU_FORMAT) as tar:
        for member, data in members:
            tar.addfile(member, io.BytesIO(data))


def entry(name, data=b"", **attributes):
    member = tarfile.TarInfo(name)
    for attribute, value in attributes.items():
        setattr(member, attribute, value)
    member.size = len(data)
    return member, data


def root_and(name, *members):
    shutil.copy("root.tar", name)
    with tarfile.open(name, "a", format=tarfile.GNU_FORMAT) as tar:
        for member, data in members:
            tar.addfile(member, io.BytesIO(data))


def link(name, target, kind=tarfile.SYMTYPE):
    return entry(name, type=kind, linkname=target)


archive("escape.tar", entry("../../escaped", b"escaped"))
archive("through-link.tar", link("way", "../../../../../../../../tmp"), entry("way/holdfast-escaped", b"escaped"))
archive("hard-link.tar", link("shadow", "/etc/shadow", tarfile.LNKTYPE))
archive("device.tar", entry("etc/disk", type=tarfile.BLKTYPE, devmajor=8, devminor=0))
archive("many.tar", *[entry("file%d" % number) for number in range(21_000)])
archive("deep.tar", *[entry("/".join(["deep"] * depth), type=tarfile.DIRTYPE, mode=0o755) for depth in range(1, 70)])
archive("no-python.tar", entry("bin/sh", b"\x7fELF", mode=0o755))
archive("bad-oci.tar", entry("oci-layout", b"{}"), entry("index.json", b'{"manifests":[{"digest":"sha256:../../x"}]}'))
root_and("fifo.tar", entry("./etc/passwd", type=tarfile.FIFOTYPE))
root_and("sudo.tar", entry("./usr/bin/sudo", b"\x7fELF", mode=0o4755), link("./etc/sudoers.d/user", "/dev/null"))
with open("nonsense.tar", "w") as nonsense:
    nonsense.write("this is no archive\n" * 100)
with open("root.tar", "rb") as whole, open("truncated.tar", "wb") as truncated:
    truncated.write(whole.read(5_000_000))
with gzip.open("bomb.tar.gz", "wb", compresslevel=1) as bomb:
    member = tarfile.TarInfo("zeros")
    member.size = 400 << 20
    bomb.write(member.tobuf())
    for _ in range(400):
        bomb.write(bytes(1 << 20))
    bomb.write(bytes(1024))
PYTHON
gzip -1 -c root.tar >root.tar.gz
rm -rf root
