#!/bin/bash
# Makes a template's image from an archive that a stranger sent:
#
#   build-template.sh ARCHIVE DIRECTORY BASE MEBIBYTES FILES
#
# as root. ARCHIVE is a tar archive of a root file system, an OCI archive or a docker archive, told apart by
# their content; plain, or packed by gzip or zstd. DIRECTORY is a directory of this build alone; afterwards it
# holds `image` and, of an OCI or docker archive, its configuration as `config`. BASE is the image of the
# template `base`: the agent and what belongs to it are taken from there. MEBIBYTES and FILES bound what the
# archive unpacks to, everything the work needs on the way included.
#
# Ends with 0; with 3 when the archive is at fault, its last line saying why; else with something else.
#
# Nothing of the archive is ever executed, and no program looks at it outside of a cell: own mounts, processes
# and network (none), a root that shows the machine's /usr read-only and else only this build's files, no
# privilege but those over files, and a file system of its own that bounds bytes and files. It ends with the
# cell, so whoever kills this leaves a directory with files to remove and no mount.
set -euo pipefail
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8
umask 022

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=image.sh
. "$here/image.sh"

# How long a file of users or groups may be.
readonly MOST_USERS=262144
# Deeper trees are no root file systems, and tools meet their limits in them.
readonly DEEPEST=64
# The agent is written for this release.
readonly OLDEST_PYTHON=11
readonly MEMORY=$((1 << 30))
# File systems' privileges, and none that reaches beyond the cell: where it can be written to, a device node
# opens nothing.
readonly PRIVILEGES=-all,+chown,+dac_override,+fowner,+fsetid,+setfcap,+mknod

# --- Outside: the cell -------------------------------------------------------------------------------

read_only() {
    mount --bind -- "$1" "$2"
    mount -o remount,bind,ro,nosuid,nodev -- "$2"
}

enclose() {
    local archive=$1 out=$2 base=$3 mebibytes=$4 files=$5 cell=$2/cell each
    mount --make-rprivate /
    truncate -s "${mebibytes}M" "$out/disk"
    mkfs.ext4 -q -F -O ^has_journal -E lazy_itable_init=1,nodiscard -m 0 -N "$files" "$out/disk"
    mkdir -p "$cell"
    mount -t tmpfs -o mode=0755,size=1m,nosuid,nodev cell "$cell"
    mkdir "$cell"/{usr,etc,work,proc,dev,old,tools,var}
    ln -s /work/tmp "$cell/var/tmp" # skopeo looks nowhere else
    read_only /usr "$cell/usr"
    for each in bin sbin lib lib32 lib64 libx32; do
        if [[ -L /$each ]]; then
            cp -P "/$each" "$cell/"
        elif [[ -d /$each ]]; then
            mkdir "$cell/$each"
            read_only "/$each" "$cell/$each"
        fi
    done
    touch "$cell"/{archive,base,image,config} "$cell"/etc/ld.so.cache "$cell"/dev/{null,zero,urandom} "$out"/{image,config}
    read_only "$archive" "$cell/archive"
    read_only "$base" "$cell/base"
    read_only /etc/ld.so.cache "$cell/etc/ld.so.cache"
    read_only "$here" "$cell/tools"
    for each in image config; do mount --bind "$out/$each" "$cell/$each"; done
    for each in null zero urandom; do
        mount --bind "/dev/$each" "$cell/dev/$each"
        # They can be written to all the same, but their mode is the host's.
        mount -o remount,bind,ro,nosuid,noexec -- "$cell/dev/$each"
    done
    mount -t proc -o ro,nosuid,nodev,noexec proc "$cell/proc"
    mount -o loop,noatime,nosuid,nodev,noexec,noinit_itable "$out/disk" "$cell/work"
    rm -- "$out/disk" # the device holds it
    cd "$cell"
    pivot_root . old
    umount -l /old
    mount -o remount,ro /
    exec setpriv --no-new-privs --inh-caps=-all --bounding-set="$PRIVILEGES" \
        prlimit --data="$MEMORY" --core=0 --fsize=$((mebibytes << 20)) \
        bash /tools/build-template.sh --inside "$mebibytes" "$files"
}

# --- Inside the cell ---------------------------------------------------------------------------------

say() { printf '%s\n' "$*"; }

refuse() {
    say "$*"
    exit 3
}

# Runs a program on the archive; what stops it is the archive's fault, and is told in the program's words.
try() {
    "$@" >/work/log 2>&1 && return
    if grep -qE 'No space left|File too large|no space left|file too large' /work/log; then
        refuse "it unpacks to more than $mebibytes MiB or $files files"
    elif grep -qE '[mM]knod' /work/log; then
        refuse "it holds a device node, which cannot be made on this host: $(words)"
    fi
    refuse "it cannot be unpacked: $(words)"
}

# The first line that says something, harmless to print.
words() {
    grep -v -E 'Removing leading|level=(info|warning)' /work/log | head -n 1 | tr -cd '\40-\176' |
        sed -E 's/^time=[^ ]+ level=[a-z]+ msg=//; s/^tar: //' | cut -c1-200
}

unpacked() {
    case $(head -c 4 /archive | od -An -tx1 | tr -d ' \n') in
        1f8b*) gzip -dc </archive >/work/archive ;;
        28b52ffd) zstd -q -dc </archive >/work/archive ;;
        *) ln -s /archive /work/archive ;;
    esac
}

has() { grep -qxE "(\./)?$1" /work/names; }

unpack() {
    try unpacked
    tar -tf /work/archive >/work/names 2>/work/log || refuse "it is no tar archive, or not a whole one: $(words)"
    if has 'manifest\.json'; then
        unpack_image docker-archive
    elif has 'oci-layout' && has 'index\.json'; then
        unpack_image oci-archive
    else
        mkdir /work/root
        try tar -x -f /work/archive -C /work/root --numeric-owner --same-permissions --delay-directory-restore \
            --anchored --exclude='./dev/*' --exclude='dev/*' --exclude='/dev/*'
    fi
    rm -f /work/archive /work/names
    leave_out_devices
    [[ -z $(find /work/root -mindepth "$DEEPEST" -print -quit) ]] || refuse "its directories are more than $DEEPEST levels deep"
}

# The machine brings its own devices, and archives of live systems hold some.
leave_out_devices() {
    local node
    [[ -L /work/root/dev || ! -d /work/root/dev ]] || find /work/root/dev -mindepth 1 -delete
    node=$(find /work/root '(' -type b -o -type c ')' -printf '%P\n' -quit | tr -cd '\40-\176' | cut -c1-200)
    [[ -z $node ]] || refuse "it holds a device node outside /dev: $node"
}

unpack_image() {
    try skopeo --insecure-policy copy -q "$1:/work/archive" oci:/work/layout:image
    skopeo inspect --config oci:/work/layout:image >/work/config 2>/work/log || refuse "its image has no configuration: $(words)"
    [[ $(stat -c %s /work/config) -le 1048576 ]] || refuse "its image's configuration is larger than 1 MiB"
    cat /work/config >/config
    try umoci raw unpack --image /work/layout:image /work/root
    rm -rf /work/layout
}

# Where the path $1 of the image leads, as a path under /work/root; links are followed as inside a sandbox.
inside() {
    local left=$1 at='' part target hops=0
    while [[ -n $left ]]; do
        part=${left%%/*}
        [[ $left == */* ]] && left=${left#*/} || left=
        case $part in
            '' | .) continue ;;
            ..) at=${at%/*} && continue ;;
        esac
        if [[ -L /work/root$at/$part ]]; then
            ((++hops <= 40)) || return 1
            target=$(readlink -- "/work/root$at/$part")
            [[ $target == /* ]] && at=
            left=$target/$left
        else
            at=$at/$part
        fi
    done
    say "/work/root$at"
}

# What decides whether a program runs on this processor: class, order and machine.
kind_of() { od -An -tx1 -j4 -N2 -- "$1" && od -An -tx1 -j18 -N2 -- "$1"; }

# By its mode: here nothing can be executed.
is_program() { [[ -f $1 && $(stat -c %A -- "$1") == *x* ]]; }

require_programs() {
    local shell python release
    shell=$(inside /bin/sh) || shell=
    is_program "$shell" ||
        refuse "it has no /bin/sh, which the programs of a sandbox are started with"
    python=$(inside /usr/bin/python3) || python=
    is_program "$python" ||
        refuse "it has no /usr/bin/python3, which the agent of a sandbox runs on; install Python 3.$OLDEST_PYTHON or later"
    release=${python##*/python3.}
    [[ $release =~ ^[0-9]{1,3}$ ]] || refuse "its /usr/bin/python3 does not lead to a file python3.N, so its release is not known"
    ((release >= OLDEST_PYTHON)) || refuse "its Python is 3.$release; the agent of a sandbox needs 3.$OLDEST_PYTHON or later"
    [[ $(kind_of "$python") == "$(kind_of /usr/bin/bash)" ]] || refuse "it is made for another processor"
    [[ -e $(inside "/usr/lib/python3.$release/json/__init__.py") ]] ||
        refuse "its Python lacks the standard library in /usr/lib/python3.$release; python3-minimal is not enough"
}

ends_in_line() { [[ ! -s $1 || -z $(tail -c 1 -- "$1") ]] || say >>"$1"; }

add_user() {
    local passwd group shadow home each shell=/bin/sh id=1000
    passwd=$(inside /etc/passwd) group=$(inside /etc/group) shadow=$(inside /etc/shadow)
    for each in "$passwd" "$group" "$shadow"; do
        # What is none may never come to its end, and one of a million users is read a million times.
        [[ ! -e $each ]] || [[ -f $each && $(stat -c %s -- "$each") -le $MOST_USERS ]] ||
            refuse "its /etc/${each##*/} is no ordinary file of at most $MOST_USERS bytes"
    done
    [[ -e $passwd ]] || say "root:x:0:0:root:/root:/bin/sh" >"$passwd"
    [[ -e $group ]] || say "root:x:0:" >"$group"
    ! grep -q '^user:' "$passwd" || return 0
    ! is_program "$(inside /bin/bash)" || shell=/bin/bash
    while cut -d: -f3 "$passwd" "$group" | grep -qx "$id"; do id=$((id + 1)); done
    ends_in_line "$passwd"
    ends_in_line "$group"
    say "user:x:$id:$id::/home/user:$shell" >>"$passwd"
    say "user:x:$id:" >>"$group"
    if [[ -e $shadow ]]; then
        ends_in_line "$shadow"
        say "user:!:19000:0:99999:7:::" >>"$shadow"
    fi
    home=$(inside /home/user)
    mkdir -p -- "$home"
    chown "$id:$id" -- "$home"
}

# gVisor ignores set-user-ID bits; see files/usr/lib/holdfast/sudo of the template base.
replace_sudo() {
    local own=$1/sudo/sudo sudo
    rm -f -- "$own"
    sudo=$(inside /usr/bin/sudo)
    [[ -f $sudo && $(head -c 4 "$sudo" | tail -c 3) == ELF ]] || return 0
    cp -- "$sudo" "$own"
    rm -f -- "$(inside /usr/bin)/sudo"
    ln -s /usr/lib/holdfast/sudo/client.py "$(inside /usr/bin)/sudo"
    mkdir -p -- "$(inside /etc/sudoers.d)"
    rm -rf -- "$(inside /etc/sudoers.d)/user"
    say "user ALL=(ALL:ALL) NOPASSWD: ALL" >"$(inside /etc/sudoers.d)/user"
    chmod 0440 "$(inside /etc/sudoers.d)/user"
}

complete() {
    local each own
    for each in proc sys dev tmp run root etc home usr/lib; do
        each=$(inside "/$each") || refuse "its /${each##*/} is a link that leads nowhere"
        mkdir -p -- "$each"
    done
    chmod 1777 "$(inside /tmp)"
    chmod 0755 "$(inside /root)" /work/root
    unsquashfs -q -n -no-xattrs -d /work/base /base usr/lib/holdfast etc/hosts etc/resolv.conf etc/hostname >/work/log 2>&1
    own=$(inside /usr/lib)/holdfast
    rm -rf -- "$own"
    cp -a /work/base/usr/lib/holdfast "$own"
    for each in hosts resolv.conf hostname; do
        rm -rf -- "$(inside /etc)/${each:?}"
        cp -a "/work/base/etc/$each" "$(inside /etc)/$each"
    done
    rm -rf -- "$(inside /etc)/machine-id"
    : >"$(inside /etc)/machine-id"
    add_user
    replace_sudo "$own"
    # The image is mounted on the machine too, and inside they mean nothing.
    find /work/root -type f -perm /6000 -exec chmod ug-s {} +
}

build() {
    local each
    mebibytes=$1 files=$2
    for each in tar gzip zstd skopeo umoci mksquashfs unsquashfs; do
        command -v "$each" >/dev/null || { say "this host lacks $each; run host preparation" && exit 1; }
    done
    mkdir /work/tmp
    export TMPDIR=/work/tmp HOME=/work/tmp
    cd /work
    touch /work/start
    unpack
    require_programs
    complete
    find /work/root -newer /work/start -exec touch -h -d "@$EPOCH" {} +
    make_image /work/root /image -no-xattrs -mem 256M >/work/log 2>&1 ||
        { cat /work/log >&2 && exit 1; }
}

case ${1:-} in
    --inside) build "$2" "$3" ;;
    --enclose) enclose "${@:2}" ;;
    *)
        exec setpriv --pdeathsig KILL -- unshare --mount --net --pid --ipc --uts --fork --kill-child -- \
            bash "$here/build-template.sh" --enclose "$@"
        ;;
esac
