#!/bin/bash
# Makes this machine able to run sandboxes, and says what it did:
#
#   prepare-host.sh          installs and builds what is missing; does nothing when all is there
#   prepare-host.sh --check  changes nothing; prints one line for each thing missing, and exits 1 if any
#   prepare-host.sh --packages  installs what is missing of Debian's packages and nothing more: an image is made so
#
# All as root. Environment: HOLDFAST_AGENT_DIR (default: the directory agent beside this script), and
# HOLDFAST_CACHE (default /var/cache/holdfast), where everything it builds lies; HOLDFAST_GENERATION_1=true
# where sandboxes of the first generation shall run, which need runc:
#
#   runtime/<sha256>/runsc      the build of runsc that is really run, named by its own digest
#   runtime/<sha256>/origin     digest of the installed runsc it was made from, and "plain" or "patched"
#   runtime/current             link to the digest in use
#   template/<sha256>.squashfs  a template's root, named by its own digest
#   template/base.digest        the digest in use for the template `base`
#   template/base.inputs        digest of recipe and agent that this image was made from
#   template/code-interpreter-v1.{digest,inputs}  the same of that template
#   template/root-<recipe>/     the unpacked root without the agent: a change of the agent costs seconds
#   template/interpreter-<recipe>/  the same of the template `code-interpreter-v1`
#   verified                    the pair (runtime, image) that has run a sandbox on this machine
#
# Everything under it can be deleted and is built again. Everything is written beside its place, synced and
# renamed, so a killed run leaves nothing half made. Superseded images and runtime builds stay: running
# sandboxes may still use them. It starts no service and leaves no mount, namespace or process behind.
set -euo pipefail
export PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin" LC_ALL=C.UTF-8
umask 022

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
cache=${HOLDFAST_CACHE:-/var/cache/holdfast}
agent=${HOLDFAST_AGENT_DIR:-$here/agent}
recipe=$here/template/base
# shellcheck source=image.sh
. "$here/image.sh"
# shellcheck source=interpreter.sh
. "$here/interpreter.sh"
# shellcheck source=debian.sh
. "$here/debian.sh"

# Older builds lack `checkpoint -direct`, which the freeze time rests on.
readonly OLDEST_RUNSC=20240729
readonly LOCK=/run/lock/holdfast-prepare-host.lock

# Command that must be there, and the Debian package that brings it. runsc is looked at apart.
declare -A PACKAGE_OF=(
    [ip]=iproute2
    [nft]=nftables
    [dnsmasq]=dnsmasq-base
    [mmdebstrap]=mmdebstrap
    [mksquashfs]=squashfs-tools
    [skopeo]=skopeo
    [umoci]=umoci
    [zstd]=zstd
    [mkfs.ext4]=e2fsprogs
)
# Sandboxes of the first generation are rare and off unless asked for: a host without them stays without runc.
[[ ${HOLDFAST_GENERATION_1:-false} != true ]] || PACKAGE_OF[runc]=runc
readonly PACKAGE_OF

say() { printf '%s\n' "$*"; }

fail() {
    printf 'prepare-host: %s\n' "$@" >&2
    exit 1
}

# --- What is missing -------------------------------------------------------------------------------

missing_packages() {
    local command
    for command in "${!PACKAGE_OF[@]}"; do
        command -v "$command" >/dev/null || say "${PACKAGE_OF[$command]}"
    done | sort
}

# The installed runsc: the first new enough one on PATH.
installed_runsc() {
    local candidate
    while read -r candidate; do
        if new_enough "$("$candidate" --version 2>/dev/null || true)"; then
            say "$candidate"
            return
        fi
    done < <(type -aP runsc || true)
    return 1
}

# Debian writes 0.0~20240729.0-4, the project itself release-20240729.0.
new_enough() { [[ $1 =~ (20[0-9]{6}) && ${BASH_REMATCH[1]} -ge $OLDEST_RUNSC ]]; }

digest() { sha256sum -- "$1" | cut -d' ' -f1; }

# One digest for a list of files (read from stdin, ended by NUL): their names and contents.
digest_of_files() { LC_ALL=C sort -z | xargs -0 -r sha256sum -- | sha256sum | cut -d' ' -f1; }

agent_files() { (cd -- "$agent" && find . -name __pycache__ -prune -o -type f ! -name '*.pyc' -print0); }

recipe_key() {
    local architecture
    architecture=$(dpkg --print-architecture)
    (cd -- "$recipe" && find . -name __pycache__ -prune -o -type f -print0 | digest_of_files) |
        cat - <(say "$TEMPLATE_SUITE $architecture") | sha256sum | cut -c1-16
}

inputs_key() {
    { recipe_key && (cd -- "$agent" && agent_files | digest_of_files) && say "${IMAGE_OPTIONS[*]} $EPOCH"; } |
        sha256sum | cut -d' ' -f1
}

content() { [[ -r $1 ]] && cat -- "$1"; }

# The one place that decides which bytes are run. runsc refuses a sandbox network when it believes to be in
# the machine's own network namespace, and takes the file rmem_default as the sign of that. Kernels since
# about 6.x show this file in every namespace; newer runsc therefore looks for dev_weight, which is still
# the machine's alone. Where both the kernel and the installed build are of the unlucky kind, a private copy
# is run in which the path (same length, so nothing moves) names dev_weight; otherwise the build as it is.
readonly SIGN=/proc/sys/net/core/rmem_default
readonly BETTER_SIGN=/proc/sys/net/core/./dev_weight

flavour() {
    if unshare --net test -e "$SIGN" && grep -qaF "$SIGN" "$1"; then say patched; else say plain; fi
}

runtime_digest() {
    local link
    link=$(readlink -- "$cache/runtime/current") && [[ -x $cache/runtime/$link/runsc ]] && say "$link"
}

runtime_is_current() {
    local source=$1 current
    current=$(runtime_digest) || return 1
    [[ $(content "$cache/runtime/$current/origin") == "$(digest "$source") $(flavour "$source")" ]]
}

template_digest() {
    local name
    name=$(content "$cache/template/${1:-base}.digest") && [[ -f $cache/template/$name.squashfs ]] && say "$name"
}

missing() {
    local package source runtime image
    for package in $(missing_packages); do say "package $package is not installed"; done
    if ! source=$(installed_runsc); then
        say "package runsc, release $OLDEST_RUNSC or later, is not installed"
        source=
    fi
    if ! runtime=$(runtime_digest); then
        say "runtime build is missing in $cache/runtime"
    elif [[ -n $source ]] && ! runtime_is_current "$source"; then
        say "runtime build is not made from the installed runsc"
    fi
    if [[ ! -f $agent/__main__.py ]]; then
        say "sandbox agent is missing in $agent"
    elif ! image=$(template_digest); then
        say "template base is missing in $cache/template"
    elif [[ $(content "$cache/template/base.inputs") != "$(inputs_key)" ]]; then
        say "template base is older than its recipe or the sandbox agent"
    elif ! interpreter_is_current; then
        say "template $INTERPRETER is missing in $cache/template, or older than its recipe or the sandbox agent"
    fi
    if [[ -n ${runtime:-} && -n ${image:-} && $(content "$cache/verified") != "$runtime $image" ]]; then
        say "runtime and template base have not run a sandbox on this machine"
    fi
}

ready() {
    local runtime image
    runtime=$(runtime_digest)
    image=$(template_digest)
    say "host ready: runtime ${runtime:0:12} template base ${image:0:12}"
}

# --- Helpers of the building part ------------------------------------------------------------------

# $1 appears as $2, whole or not at all. Both lie in the same file system, which is synced as a whole:
# for a tree nothing less would do.
publish() {
    sync --file-system -- "$1"
    mv -T -- "$1" "$2"
    sync -- "$(dirname -- "$2")"
}

publish_text() {
    say "$1" >"$work/text"
    publish "$work/text" "$2"
}

# --- Debian packages -------------------------------------------------------------------------------

install_packages() {
    local wanted source version=
    mapfile -t wanted < <(missing_packages)
    source=$(installed_runsc) || source=
    [[ ${#wanted[@]} -gt 0 || -z $source ]] || return 0
    [[ $(release_of ID) == debian ]] || fail "this is not Debian; install by hand: ${wanted[*]} runsc (release $OLDEST_RUNSC or later)"
    refresh_lists
    if [[ -z $source ]]; then
        version=$(offered_runsc) || { add_backports && version=$(offered_runsc); } ||
            fail "no package runsc of release $OLDEST_RUNSC or later is offered, not even by $(release_of VERSION_CODENAME)-backports;" \
                "check that the machine's package mirror carries that suite, or put a newer runsc on PATH"
        wanted+=("runsc=$version")
    fi
    persistently env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
        -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "${wanted[@]}" ||
        fail "could not install: ${wanted[*]}; the lines above say why"
    say "installed ${wanted[*]}"
    source=$(missing_packages)
    [[ -z $source ]] || fail "still missing after installation: $source"
    installed_runsc >/dev/null || fail "the installed runsc does not run or is older than $OLDEST_RUNSC"
}

offered_runsc() {
    local version
    while read -r version; do
        if new_enough "$version"; then
            say "$version"
            return
        fi
    done < <(apt-cache madison runsc | cut -d'|' -f2 | tr -d ' ')
    return 1
}

add_backports() {
    local codename entry file number target
    codename=$(release_of VERSION_CODENAME)
    entry=$(debian_entries | awk -v codename="$codename" '$1 == codename && !seen++')
    [[ -n $entry ]] ||
        fail "runsc cannot be installed: apt knows no package list of Debian $codename to find its backports by;" \
            "either no source is set up under /etc/apt, or its list could not be fetched (then lines above say why);" \
            "or put a runsc of release $OLDEST_RUNSC or later on PATH"
    read -r _ file number <<<"$entry"
    [[ $file == *.sources ]] && target=holdfast-backports.sources || target=holdfast-backports.list
    derive_source "$file" "$number" "$codename-backports" >"$work/source"
    chmod 0644 "$work/source"
    # Backports never replace a package by themselves: apt gives the suite a low priority.
    cp -- "$work/source" "/etc/apt/sources.list.d/.$target.new"
    mv -T -- "/etc/apt/sources.list.d/.$target.new" "/etc/apt/sources.list.d/$target"
    say "added package source $codename-backports in /etc/apt/sources.list.d/$target"
    refresh_lists
}

# --- Runtime build ---------------------------------------------------------------------------------

build_runtime() {
    local source kind name
    source=$(installed_runsc)
    if runtime_is_current "$source"; then return; fi
    kind=$(flavour "$source")
    mkdir -p -- "$cache/runtime" "$work/runtime"
    if [[ $kind == patched ]]; then
        sed "s#$SIGN#$BETTER_SIGN#g" "$source" >"$work/runtime/runsc"
        [[ $(stat -c %s "$source") == "$(stat -c %s "$work/runtime/runsc")" ]] ||
            fail "the private copy of $source came out with another size"
    else
        cp -- "$source" "$work/runtime/runsc"
    fi
    chmod 0755 "$work/runtime/runsc"
    say "$(digest "$source") $kind" >"$work/runtime/origin"
    name=$(digest "$work/runtime/runsc")
    if [[ -x $cache/runtime/$name/runsc ]]; then
        # The same bytes from another package: only their origin is new.
        publish "$work/runtime/origin" "$cache/runtime/$name/origin"
    else
        rm -rf --one-file-system -- "$cache/runtime/$name"
        publish "$work/runtime" "$cache/runtime/$name"
    fi
    ln -s -- "$name" "$work/current"
    mv -T -- "$work/current" "$cache/runtime/current"
    sync -- "$cache/runtime"
    say "published runtime build ${name:0:12} ($kind copy of $source)"
}

# --- Template --------------------------------------------------------------------------------------

build_template() {
    local key tree
    [[ -f $agent/__main__.py ]] || fail "the sandbox agent is missing: $agent has no __main__.py; the template cannot be built without it"
    key=$(inputs_key)
    if template_digest >/dev/null && [[ $(content "$cache/template/base.inputs") == "$key" ]]; then return; fi
    mkdir -p -- "$cache/template"
    tree=$cache/template/root-$(recipe_key)
    [[ -d $tree ]] || bootstrap "$tree"
    add_agent "$tree"
    publish_template base "$tree" "$key"
}

# The tree $2 becomes the image of the template $1, made from what the digest $3 stands for.
publish_template() {
    local name
    quietly make_image "$2" "$work/image" ||
        fail "could not build the image of template $1; the lines above say why"
    name=$(digest "$work/image")
    publish "$work/image" "$cache/template/$name.squashfs"
    publish_text "$name" "$cache/template/$1.digest"
    publish_text "$3" "$cache/template/$1.inputs"
    say "published template $1 ${name:0:12} ($(($(stat -c %s "$cache/template/$name.squashfs") >> 20)) MiB)"
}

bootstrap() {
    local tree=$1 old packages
    say "bootstrapping Debian $TEMPLATE_SUITE for template base (about a minute)"
    apt_settings
    packages=$(sed 's/#.*//' "$recipe/packages" | xargs | tr ' ' ',')
    persistently bootstrap_once "$packages" ||
        fail "could not bootstrap Debian $TEMPLATE_SUITE for template base; the lines above say why"
    publish "$work/tree" "$tree"
    for old in "$cache"/template/root-*; do
        [[ $old == "$tree" ]] || rm -rf --one-file-system -- "$old"
    done
}

bootstrap_once() {
    rm -rf --one-file-system -- "$work/tree"
    touch -- "$work/start"
    SOURCE_DATE_EPOCH=$EPOCH mmdebstrap --mode=root --format=directory --variant=minbase \
        --aptopt="$work/apt.conf" --dpkgopt="$recipe/files/etc/dpkg/dpkg.cfg.d/holdfast" \
        --include="$1" "$TEMPLATE_SUITE" "$work/tree" "$work"/sources.d/* || return
    # Not as a hook: mmdebstrap keeps its own apt settings in the tree's /tmp until it ends, and would
    # clean the machine's package lists instead of the tree's once they were gone.
    "$recipe/customize.sh" "$work/tree" || return
    # Python compares the time of a source with that in its compiled file, so older times are kept.
    find "$work/tree" -newer "$work/start" -exec touch -h -d "@$EPOCH" {} +
}

# Compiled files that carry no time: the agent starts as fast from any copy of the image.
add_agent() {
    local target=$1/usr/lib/holdfast/agent
    rm -rf --one-file-system -- "$target"
    mkdir -p -- "$target"
    (cd -- "$agent" && agent_files | xargs -0 -r cp --parents --no-preserve=all -t "$target" --)
    PYTHONHASHSEED=0 quietly chroot "$1" python3 -I -m compileall -q -f --invalidation-mode unchecked-hash \
        /usr/lib/holdfast/agent || fail "the sandbox agent in $agent does not compile; the lines above say where"
    find "$1/usr/lib/holdfast" -exec touch -h -d "@$EPOCH" {} +
}

# --- Proof -----------------------------------------------------------------------------------------

# A sandbox of the published pair, with a network, in namespaces that end with it, whatever happens.
verify() {
    local runtime image
    runtime=$(runtime_digest)
    image=$(template_digest)
    [[ $(content "$cache/verified") != "$runtime $image" ]] || return 0
    mkdir -p -- "$work/bundle/root" "$work/state" "$work/overlay"
    cp -- "$here/template/verify.json" "$work/bundle/config.json"
    cp -- "$here/template/verify.sh" "$work/bundle/script"
    # shellcheck disable=SC2016 # the inner shell's variables
    quietly timeout --kill-after=5 90 unshare --mount --net --pid --fork --kill-child --mount-proc bash -euc '
        ip link set lo up
        mount -t squashfs -o loop,ro,nodev "$1/template/$3.squashfs" "$2/bundle/root"
        "$1/runtime/$4/runsc" --root "$2/state" --platform=systrap --network=sandbox --ignore-cgroups \
            -overlay2="root:dir=$2/overlay" -net-disconnect-ok run -bundle "$2/bundle" holdfast-verify <"$2/bundle/script"
    ' bash "$cache" "$work" "$image" "$runtime" ||
        fail "a sandbox of template base does not run on this machine; the lines above say why" \
            "(needed: loop devices, squashfs with zstd, and unprivileged ptrace or seccomp for runsc)"
    [[ $(tail -n 1 "$work/log") == "sandbox works" ]] || fail "a sandbox of template base ended without its last word"
    publish_text "$runtime $image" "$cache/verified"
    say "verified: a sandbox of template base runs with a network"
}

# --- The ways to call it --------------------------------------------------------------------------

main() {
    local lacking
    [[ $# -eq 0 || $* == --check || $* == --packages ]] || fail "usage: prepare-host.sh [--check|--packages]"
    [[ $EUID -eq 0 ]] || fail "must run as root: it asks the kernel about new network namespaces"
    lacking=$(missing)
    if [[ ${1:-} == --check ]]; then
        [[ -z $lacking ]] || { say "$lacking" && exit 1; }
        ready
        return
    fi
    # Nothing to do: no lock, no network, well under a second.
    [[ -n $lacking || $# -gt 0 ]] || { ready && return; }

    # One at a time on this machine: packages, and the work directories cleared below.
    mkdir -p -- "$(dirname -- "$LOCK")" "$cache"
    exec 9>"$LOCK"
    flock -n 9 || { say "waiting for another run of prepare-host.sh" && flock -w 1200 9; } ||
        fail "another run of prepare-host.sh has held $LOCK for 20 minutes"
    rm -rf --one-file-system -- "$cache"/.work.*
    work=$(mktemp -d -- "$cache/.work.XXXXXX")
    trap 'rm -rf --one-file-system -- "$work"' EXIT
    trap 'exit 143' TERM
    trap 'exit 130' INT

    install_packages
    [[ $# -eq 0 ]] || return 0
    build_runtime
    build_template
    build_interpreter
    verify
    ready
}

main "$@"
