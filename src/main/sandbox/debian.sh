# shellcheck shell=bash
# Read by whoever gets packages or trees of Debian: where this machine's own Debian comes from, so that no mirror is
# named anywhere. It needs say, fail, and a directory `work`.
# shellcheck disable=SC2154 # work is the reader's

# The Debian of all trees, whatever the machine's own release is: the agent is written for its Python 3.11.
readonly TEMPLATE_SUITE=bookworm

# Output only matters when the command fails: then its end is shown.
quietly() {
    "$@" >"$work/log" 2>&1 && return
    local status=$?
    tail -n 20 "$work/log" | sed 's/^/    /' >&2
    return $status
}

# Three tries: what fails here is mostly the network. A lasting fault costs 8 seconds more.
persistently() {
    local pause
    for pause in 2 6 0; do
        quietly "$@" && return
        ((pause == 0)) || { say "trying again in $pause s: $1 $2" >&2 && sleep "$pause"; }
    done
    return 1
}

refresh_lists() {
    persistently apt-get update -q -o Acquire::Retries=3 -o APT::Update::Error-Mode=any ||
        say "warning: not every package list could be fetched; going on with those that could" >&2
}

# shellcheck source=/dev/null
release_of() { (. /etc/os-release && say "${!1:-}"); }

# Where the machine's own Debian comes from, one line for each suite: codename, file, number of the entry in
# it. apt itself reads its sources here, so that every format it knows is understood.
debian_entries() {
    # shellcheck disable=SC2016 # the fields are apt's
    apt-get indextargets --format '$(CODENAME)|$(SOURCESENTRY)' \
        'Created-By: Packages' 'Origin: Debian' 'Component: main' |
        sed -nE 's/^([^|]*)\|(.*):([0-9]+)$/\1 \2 \3/p' | sort -u
}

# Prints entry $2 of the sources file $1 with the suites $3 and the component main, keeping addresses, keys and
# options. The number is a line in one format and a paragraph in the other.
derive_source() {
    if [[ $1 == *.list || $1 == */sources.list ]]; then
        sed -n "$2p" "$1" | while read -r line; do
            [[ $line =~ ^deb[[:space:]]+(\[[^]]*\][[:space:]]+)?([^[:space:]]+)[[:space:]] ]] || continue
            for suite in $3; do say "deb ${BASH_REMATCH[1]}${BASH_REMATCH[2]} $suite main"; done
        done
    else
        grep -v '^#' "$1" | awk -v RS= -v wanted="$2" 'NR == wanted' | awk -v suites="$3" '
            /^[^ \t]/ { dropped = tolower($0) ~ /^(types|suites|components):/ }
            !dropped { print }
            END { print "Types: deb"; print "Suites: " suites; print "Components: main" }'
    fi
}

# Where the packages of templates come from, and how they are fetched.
apt_settings() {
    [[ ! -d $work/sources.d ]] || return 0
    template_sources
    # The machine's own way to the network and its tolerances, and the names of its passwords.
    {
        apt-config dump --format '%f "%v";%n' Acquire |
            grep -E '^Acquire::(http|https|Retries|ForceIPv4|ForceIPv6|Check-Date|Check-Valid-Until|Max-FutureTime)\b' || true
        say 'Dir::Etc::netrc "/etc/apt/auth.conf";'
        say 'Dir::Etc::netrcparts "/etc/apt/auth.conf.d";'
    } >"$work/apt.conf"
}

# The machine's own sources of Debian, asked for the template's suite.
template_sources() {
    local own codename file number suites entry count=0
    mkdir -p -- "$work/sources.d"
    own=$(release_of VERSION_CODENAME)
    [[ -n $(debian_entries) ]] || refresh_lists
    while read -r file number; do
        suites=$(debian_entries | while read -r codename entry; do
            [[ $entry == "$file $number" ]] || continue
            case $codename in
                "$own" | "$own-updates" | "$own-security") say "$TEMPLATE_SUITE${codename#"$own"}" ;;
            esac
        done | xargs)
        [[ -n $suites ]] || continue
        count=$((count + 1))
        derive_source "$file" "$number" "$suites" >"$work/sources.d/debian-$count.${file##*.}"
    done < <(debian_entries | cut -d' ' -f2- | sort -u)
    [[ -n $(ls -A "$work/sources.d") ]] ||
        fail "template base cannot be bootstrapped: apt knows no package list of Debian $own;" \
            "either no source is set up under /etc/apt, or its list could not be fetched (then lines above say why)"
}
