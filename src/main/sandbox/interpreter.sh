# shellcheck shell=bash
# Read by prepare-host.sh: the template `code-interpreter-v1`, which is the tree of `base` and more packages.
# shellcheck disable=SC2154 # here, cache, work and agent are prepare-host.sh's

readonly INTERPRETER=code-interpreter-v1

interpreter_key() {
    { recipe_key && (cd -- "$here/template/$INTERPRETER" && find . -type f -print0 | digest_of_files); } | sha256sum | cut -c1-16
}

interpreter_inputs() { { interpreter_key && inputs_key; } | sha256sum | cut -d' ' -f1; }

interpreter_is_current() {
    template_digest "$INTERPRETER" >/dev/null && [[ $(content "$cache/template/$INTERPRETER.inputs") == "$(interpreter_inputs)" ]]
}

build_interpreter() {
    local tree
    if interpreter_is_current; then return; fi
    tree=$cache/template/interpreter-$(interpreter_key)
    [[ -d $tree ]] || extend "$tree"
    add_agent "$tree"
    publish_template "$INTERPRETER" "$tree" "$(interpreter_inputs)"
}

extend() {
    local tree=$1 base old packages
    base=$cache/template/root-$(recipe_key)
    [[ -d $base ]] || bootstrap "$base"
    say "adding the interpreters of template $INTERPRETER (a minute or two)"
    apt_settings
    mapfile -t packages < <(sed 's/#.*//' "$here/template/$INTERPRETER/packages" | xargs -n 1)
    persistently extend_once "$base" "${packages[@]}" ||
        fail "could not add the packages of template $INTERPRETER; the lines above say why"
    publish "$work/tree" "$tree"
    for old in "$cache"/template/interpreter-*; do
        [[ $old == "$tree" ]] || rm -rf --one-file-system -- "$old"
    done
}

# The machine's own apt asks the machine's own mirrors, as for the bootstrap; only dpkg runs inside the tree.
extend_once() {
    local base=$1
    rm -rf --one-file-system -- "$work/tree"
    touch -- "$work/start"
    cp -a -- "$base" "$work/tree" || return
    cp -R --no-preserve=all -- "$here/template/$INTERPRETER/files/." "$work/tree" || return
    {
        cat -- "$work/apt.conf"
        cat <<END
Dir "$work/tree";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$work/sources.d";
Dir::Etc::parts "/dev/null";
Dir::Etc::trusted "/etc/apt/trusted.gpg";
Dir::Etc::trustedparts "/etc/apt/trusted.gpg.d";
DPkg::Chroot-Directory "$work/tree";
APT::Sandbox::User "root";
APT::Install-Recommends "false";
Acquire::Languages "none";
END
    } >"$work/apt-tree.conf"
    # shellcheck disable=SC2016 # the inner shell's variables
    SOURCE_DATE_EPOCH=$EPOCH DEBIAN_FRONTEND=noninteractive PYTHONHASHSEED=0 APT_CONFIG=$work/apt-tree.conf \
        unshare --mount --pid --fork --kill-child bash -euc '
        mount -t proc proc "$1/proc"
        mount --bind /dev "$1/dev"
        apt-get update -q
        apt-get install -q -y --no-install-recommends "${@:2}"
    ' bash "$work/tree" "${@:2}" || return
    "$here/template/$INTERPRETER/customize.sh" "$work/tree" || return
    find "$work/tree" -newer "$work/start" -exec touch -h -d "@$EPOCH" {} +
}
