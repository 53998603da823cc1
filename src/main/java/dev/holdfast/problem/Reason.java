package dev.holdfast.problem;

/**
 * Why a request was not carried out: the stable word that programs test, with its HTTP status.
 *
 * <p>Words are API: they may be added, never renamed.
 */
public enum Reason {
    MALFORMED_REFERENCE("malformed_reference", 400),
    MALFORMED_NAME("malformed_name", 400),
    OVERRIDE_FORBIDDEN("override_forbidden", 400),
    INVALID_PARAMETER("invalid_parameter", 400),
    UNSUPPORTED_PARAMETER("unsupported_parameter", 400),
    /** For pauses, whose 409 clients take for "paused already": {@link #GENERATION_UNSUPPORTED}. */
    PAUSE_UNSUPPORTED("generation_unsupported", 400),

    UNAUTHENTICATED("unauthenticated", 401),

    PERMISSION_MISSING("permission_missing", 403),
    /** Sent by a browser, and not by a page of the console. */
    CROSS_SITE_REQUEST("cross_site_request", 403),
    /** The caller's own; its keys are good again when it is reopened. */
    PROJECT_CLOSED("project_closed", 403),
    QUOTA_BYTES_EXCEEDED("quota_bytes_exceeded", 403),
    QUOTA_COUNT_EXCEEDED("quota_count_exceeded", 403),

    /** No such path or thing; the rooms' own words below are to be preferred. */
    NOT_FOUND("not_found", 404),
    PROJECT_NOT_FOUND("project_not_found", 404),
    KEY_NOT_FOUND("key_not_found", 404),
    OPERATION_NOT_FOUND("operation_not_found", 404),
    JOB_NOT_FOUND("job_not_found", 404),
    EXECUTION_NOT_FOUND("execution_not_found", 404),
    SANDBOX_NOT_FOUND("sandbox_not_found", 404),
    CAPTURE_POLICY_NOT_FOUND("capture_policy_not_found", 404),
    SNAPSHOT_NOT_FOUND("snapshot_not_found", 404),
    TEMPLATE_NOT_FOUND("template_not_found", 404),
    WEBHOOK_NOT_FOUND("webhook_not_found", 404),
    WORKER_NOT_FOUND("worker_not_found", 404),
    DELIVERY_NOT_FOUND("delivery_not_found", 404),
    VOLUME_NOT_FOUND("volume_not_found", 404),
    /** In a snapshot or a volume there is nothing at that path. */
    FILE_NOT_FOUND("file_not_found", 404),
    COMPARISON_NOT_FOUND("comparison_not_found", 404),
    /** The session has no interpreter of that ID; it may have been removed. */
    CONTEXT_NOT_FOUND("context_not_found", 404),
    /** No program of that number runs in the session; it may have ended. */
    PROCESS_NOT_FOUND("process_not_found", 404),
    SNAPSHOT_EXPIRED("snapshot_expired", 404),
    SNAPSHOT_DELETED("snapshot_deleted", 404),

    METHOD_NOT_ALLOWED("method_not_allowed", 405),
    NOT_ACCEPTABLE("not_acceptable", 406),

    SANDBOX_NOT_RUNNING("sandbox_not_running", 409),
    SANDBOX_BUSY("sandbox_busy", 409),
    NAME_TAKEN("name_taken", 409),
    PROJECT_UNNAMED("project_unnamed", 409),
    PROJECT_NOT_CLOSED("project_not_closed", 409),
    KEY_REVOKED("key_revoked", 409),
    SNAPSHOT_OCCUPIED("snapshot_occupied", 409),
    SNAPSHOT_PINNED("snapshot_pinned", 409),
    SNAPSHOT_HELD("snapshot_held", 409),
    SNAPSHOT_NOT_TRASHED("snapshot_not_trashed", 409),
    SNAPSHOT_NOT_SAVED("snapshot_not_saved", 409),
    INCOMPATIBLE_RUNTIME("incompatible_runtime", 409),
    MISSING_PART("missing_part", 409),
    CORRUPT_PART("corrupt_part", 409),
    SANDBOX_ID_TAKEN("sandbox_id_taken", 409),
    VOLUME_ELSEWHERE("volume_elsewhere", 409),
    /** What a snapshot mounted is gone, whatever has its name now. */
    VOLUME_DELETED("volume_deleted", 409),
    VOLUME_IN_USE("volume_in_use", 409),
    /** It grows now, or cannot for who is at its files; with Retry-After, and nothing was done. */
    VOLUME_BUSY("volume_busy", 409),
    VOLUME_FULL("volume_full", 409),
    GENERATION_UNSUPPORTED("generation_unsupported", 409),
    /** Something is at that path already. */
    FILE_EXISTS("file_exists", 409),
    DIRECTORY_NOT_EMPTY("directory_not_empty", 409),
    /** What is at that path of a snapshot has no content to hand out, or is not part of it. */
    FILE_NOT_READABLE("file_not_readable", 409),
    /** Whoever waited for a comparison is told that somebody ended it. */
    COMPARISON_CANCELLED("comparison_cancelled", 409),
    /** Another tab of a browser has the session open. */
    SESSION_ELSEWHERE("session_elsewhere", 409),
    /** What a session runs on has no interpreter, or none that answers. */
    INTERPRETER_UNAVAILABLE("interpreter_unavailable", 409),
    TEMPLATE_DELETED("template_deleted", 409),
    TEMPLATE_NOT_READY("template_not_ready", 409),
    TEMPLATE_BUILT_IN("template_built_in", 409),
    /** For captures, which must not look repeatable: see {@link #WORKER_BUSY}. */
    CAPTURE_WORKER_BUSY("worker_busy", 409),
    CONCURRENT_CHANGE("concurrent_change", 409),
    /** Whoever waited for a capture is told that somebody ended it. */
    CAPTURE_CANCELLED("capture_cancelled", 409),
    /** The project has as many as it may. */
    WEBHOOK_LIMIT_REACHED("webhook_limit_reached", 409),
    /** Only a capture that is under way can be. */
    OPERATION_NOT_CANCELLABLE("operation_not_cancellable", 409),
    /** It is not to run twice at once. */
    JOB_RUNNING("job_running", 409),
    EXECUTION_NOT_RUNNING("execution_not_running", 409),
    EXECUTION_NOT_RESTARTABLE("execution_not_restartable", 409),

    /** The object is not as {@code If-Match} says. */
    PRECONDITION_FAILED("precondition_failed", 412),
    BODY_TOO_LARGE("body_too_large", 413),
    /** More than is handed out at once; a part of a file may be asked for. */
    FILE_TOO_LARGE("file_too_large", 413),
    UNSUPPORTED_MEDIA_TYPE("unsupported_media_type", 415),

    /** A file has no such part. */
    RANGE_NOT_SATISFIABLE("range_not_satisfiable", 416),

    /** The key of another order. */
    IDEMPOTENCY_KEY_REUSED("idempotency_key_reused", 422),

    /** Rate limit only; nothing was done. Never for quota. */
    RATE_LIMITED("rate_limited", 429),

    INTERNAL_ERROR("internal_error", 500),
    /** The sandbox was accepted and could not be started; it has ended. */
    START_FAILED("start_failed", 500),
    /** The capture was accepted and came to nothing; its source is as it was. */
    CAPTURE_FAILED("capture_failed", 500),
    /** The same, because its deadline passed. */
    CAPTURE_EXPIRED("capture_expired", 500),
    /** A sandbox said more than is taken for an answer; its own agent keeps to less. */
    ANSWER_TOO_LARGE("answer_too_large", 502),
    /** A comparison that came to nothing; both snapshots are as they were. */
    COMPARISON_FAILED("comparison_failed", 500),
    /** A snapshot could not be opened to look into it, or what shows it has failed. */
    CONTENTS_UNAVAILABLE("contents_unavailable", 503),
    /** The file system of a volume is not to be had on its worker, whose log says why. */
    VOLUME_UNAVAILABLE("volume_unavailable", 503),
    /** A pause that demanded a guest in good health; nothing was changed. */
    GUEST_UNHEALTHY("guest_unhealthy", 503),
    /** A change of the network came to nothing; what was in force still is. */
    NETWORK_FAILED("network_failed", 500),
    /** Of one thing among many: the time of the call was over before it came. */
    NOT_ATTEMPTED("not_attempted", 503),
    NO_WORKER("no_worker", 503),
    /** Nobody hears of the worker that a sandbox runs on; with Retry-After, nothing was done. */
    WORKER_UNREACHABLE("worker_unreachable", 503),
    /** For creates; with Retry-After. */
    WORKER_BUSY("worker_busy", 503),
    /** What is to be handed to a worker cannot be; with Retry-After, and nothing was done. */
    BROKER_UNAVAILABLE("broker_unavailable", 503),
    /** The database cannot be asked, or this node has too much to do; with Retry-After. */
    TEMPORARILY_UNAVAILABLE("temporarily_unavailable", 503),
    /** Of a stream whose reader let too much wait; it is over, and what it told of goes on. */
    READER_TOO_SLOW("reader_too_slow", 503),
    /** Whoever waited for something is let go; what was accepted is told by the next start. */
    SERVER_STOPPING("server_stopping", 503),
    /** The disk for volumes has no room beside what it has promised and what it keeps free. */
    DISK_FULL("disk_full", 507),
    CAPTURE_IN_PROGRESS("capture_in_progress", 504),
    /** Of one in place; it goes on, and the sandbox tells what comes of it. */
    RESTORE_IN_PROGRESS("restore_in_progress", 504),
    COMPARISON_IN_PROGRESS("comparison_in_progress", 504);

    private final String word;
    private final int status;

    Reason(String word, int status) {
        this.word = word;
        this.status = status;
    }

    public String word() {
        return word;
    }

    public int status() {
        return status;
    }

    /** The word as a title for people: {@code Sandbox not found}. */
    public String title() {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1).replace('_', ' ');
    }

    /** The general reason for a status that came from the platform and not from a room. */
    static Reason ofStatus(int status) {
        return switch (status) {
            case 401 -> UNAUTHENTICATED;
            case 403 -> PERMISSION_MISSING;
            case 404 -> NOT_FOUND;
            case 405 -> METHOD_NOT_ALLOWED;
            case 406 -> NOT_ACCEPTABLE;
            case 413 -> BODY_TOO_LARGE;
            case 415 -> UNSUPPORTED_MEDIA_TYPE;
            case 429 -> RATE_LIMITED;
            default -> status >= 400 && status < 500 ? INVALID_PARAMETER : INTERNAL_ERROR;
        };
    }
}
