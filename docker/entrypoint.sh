#!/bin/bash
# The first word of a container:
#
#   entrypoint.sh          becomes the server
#   entrypoint.sh prepare  makes what sandboxes start from in HOLDFAST_CACHE (prepare-host.sh), and ends
#   entrypoint.sh WORD...  becomes that program, with the same environment
#
# Every setting is an environment variable, as the README lists them. Secrets can be files: the name of a setting with _FILE behind it
# names the file that has it, unless the setting itself is set; so it is with the AWS_ ones of the object store. That is done here,
# because the server's own configuration asks the environment, and nothing inside of it could serve both that and the application.
set -euo pipefail

readonly BASE=/opt/holdfast WILDFLY=/opt/holdfast/wildfly HOME_OF_ALL=${HOLDFAST_HOME:-/var/lib/holdfast}
readonly SERVER=$HOME_OF_ALL/server
readonly LOOP_DEVICES=512

fail() {
    printf 'holdfast: %s\n' "$*" >&2
    exit 1
}

read_secrets() {
    local file name
    while read -r file; do
        case $file in
            HOLDFAST_*_FILE | AWS_ACCESS_KEY_ID_FILE | AWS_SECRET_ACCESS_KEY_FILE | AWS_SESSION_TOKEN_FILE) ;;
            *) continue ;;
        esac
        name=${file%_FILE}
        [[ -n ${!file} && -z ${!name:-} ]] || continue
        [[ -f ${!file} && -r ${!file} ]] || fail "$file is ${!file}, which is no file that can be read here"
        export "$name=$(<"${!file}")"
        [[ -n ${!name} ]] || fail "${!file}, which $file names, is empty"
    done < <(compgen -e)
}

# One server to a home, however this one ends; the lock goes on to the server.
take_home() {
    mkdir -p -- "$SERVER"/{configuration,log} "$HOME_OF_ALL/tmp" ||
        fail "$HOME_OF_ALL cannot be written to by user $(id -u): a volume belongs there"
    # Memory images hold secrets. Where the engine keeps the volume for a group, the directory is not ours.
    [[ ! -O $HOME_OF_ALL ]] || chmod 0700 -- "$HOME_OF_ALL"
    exec 9>"$HOME_OF_ALL/container.lock"
    flock -n 9 || fail "$HOME_OF_ALL is in use by another container; each has its own volume"
}

# Configuration and WAR as built; journal, transaction log and the operator's users as they were.
lay() {
    local configuration=$SERVER/configuration
    rm -rf -- "$SERVER"/{tmp,deployments} "$configuration/standalone_xml_history"
    mkdir -- "$SERVER"/{tmp,deployments}
    find "$WILDFLY/standalone/configuration" -maxdepth 1 -type f -exec cp -n -t "$configuration" -- {} +
    cp -t "$configuration" -- "$WILDFLY"/standalone/configuration/{standalone-holdfast*.xml,logging.properties}
    deploy holdfast.war
    # The way in for people, where there is an OpenID provider to ask.
    [[ -z ${HOLDFAST_OPENID_PROVIDER_URL:-} ]] || deploy holdfast-openid.war
    [[ -z ${HOLDFAST_MANAGEMENT_USER:-} ]] ||
        admit "$HOLDFAST_MANAGEMENT_USER" "${HOLDFAST_MANAGEMENT_PASSWORD:-}" "$configuration/mgmt-users.properties"
}

deploy() {
    cp -t "$SERVER/deployments" -- "$BASE/$1"
    touch -- "$SERVER/deployments/$1.dodeploy"
}

# The user $1 takes the place of one of the same name; others stay. The line is the one that WildFly's add-user.sh writes.
admit() {
    local digest
    [[ $1 =~ ^[A-Za-z0-9@._-]{1,64}$ && -n $2 ]] ||
        fail "HOLDFAST_MANAGEMENT_USER is 1 to 64 of A-Z a-z 0-9 @ . _ -, and HOLDFAST_MANAGEMENT_PASSWORD is not empty"
    digest=$(printf '%s:ManagementRealm:%s' "$1" "$2" | md5sum)
    (umask 077 && awk -F= -v name="$1" '$1 != name' "$3" >"$3.new" && printf '%s=%s\n' "$1" "${digest%% *}" >>"$3.new")
    mv -- "$3.new" "$3"
}

ready_certificate() {
    local lines
    lines=$(java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$BASE/classes" dev.holdfast.gateway.ServerCertificate "$HOME_OF_ALL") ||
        fail "there is no certificate to serve TLS with; the lines above say why"
    mapfile -t lines <<<"$lines"
    export HOLDFAST_TLS_KEYSTORE=${lines[0]} HOLDFAST_TLS_KEYSTORE_PASSWORD=${lines[1]:-}
}

# A container's /dev has none of them, and no new one comes by itself. Their number is the whole host's.
make_loop_devices() {
    local number
    [[ -e /dev/loop-control ]] || fail "a worker needs the device /dev/loop-control"
    for ((number = 0; number < LOOP_DEVICES; number++)); do
        [[ -b /dev/loop$number ]] || mknod -m 0660 "/dev/loop$number" b 7 "$number" ||
            fail "a worker needs loop devices: the capability MKNOD, and b 7:* by the rules for devices"
    done
}

become_server() {
    local configuration=standalone-holdfast.xml own=()
    [[ -z ${HOLDFAST_BROKER_HOST:-} ]] || configuration=standalone-holdfast-remote-broker.xml
    # A container's console goes to programs.
    export HOLDFAST_LOG_FORMAT=${HOLDFAST_LOG_FORMAT:-json}
    take_home
    lay
    ready_certificate
    read -ra own <<<"${HOLDFAST_JAVA_OPTIONS:-}"
    # The distribution knows what its JVM must open to it.
    # shellcheck disable=SC2034,SC1091
    { set +u && JAVA=java GREP=grep && . "$WILDFLY/bin/common.sh" && setDefaultModularJvmOptions && set -u; }
    # shellcheck disable=SC2086 # several words
    exec java '-D[Standalone]' "@$BASE/java.options" "${own[@]}" ${DEFAULT_MODULAR_JVM_OPTIONS:-} \
        -Djava.io.tmpdir="$HOME_OF_ALL/tmp" \
        -Dorg.jboss.boot.log.file="$SERVER/log/server.log" \
        -Dlogging.configuration="file:$SERVER/configuration/logging.properties" \
        -jar "$WILDFLY/jboss-modules.jar" -mp "$WILDFLY/modules" org.jboss.as.standalone \
        -Djboss.home.dir="$WILDFLY" -Djboss.server.base.dir="$SERVER" --server-config="$configuration"
}

main() {
    [[ ${1:-} == prepare || $# -eq 0 ]] || exec "$@"
    if [[ ,${HOLDFAST_ROLES:-control,worker}, == *,worker,* ]]; then make_loop_devices; fi
    [[ $# -eq 0 ]] || exec "$BASE/sandbox/prepare-host.sh"
    become_server
}

read_secrets
main "$@"
