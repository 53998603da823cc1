"""Every error the agent answers with. The codes are part of the protocol: they never change their meaning."""

import errno

NOT_FOUND = "not_found"
ALREADY_EXISTS = "already_exists"
INVALID_ARGUMENT = "invalid_argument"
NOT_A_DIRECTORY = "not_a_directory"
IS_A_DIRECTORY = "is_a_directory"
PERMISSION_DENIED = "permission_denied"
NO_SPACE = "no_space"
FAILED_PRECONDITION = "failed_precondition"
RESOURCE_EXHAUSTED = "resource_exhausted"
UNKNOWN_USER = "unknown_user"
UNIMPLEMENTED = "unimplemented"
CHANNEL_RESET = "channel_reset"
INTERNAL = "internal"

_BY_ERRNO = {
    errno.ENOENT: NOT_FOUND,
    errno.EEXIST: ALREADY_EXISTS,
    errno.ENOTEMPTY: FAILED_PRECONDITION,
    errno.ENOTDIR: NOT_A_DIRECTORY,
    errno.EISDIR: IS_A_DIRECTORY,
    errno.EACCES: PERMISSION_DENIED,
    errno.EPERM: PERMISSION_DENIED,
    errno.EROFS: PERMISSION_DENIED,
    errno.ENOSPC: NO_SPACE,
    errno.EDQUOT: NO_SPACE,
    errno.EFBIG: NO_SPACE,
    errno.ELOOP: FAILED_PRECONDITION,
    errno.EBUSY: FAILED_PRECONDITION,
    errno.ETXTBSY: FAILED_PRECONDITION,
    # What the sandbox's own files refuse, however odd they are, is no failure of ours.
    errno.EIO: FAILED_PRECONDITION,
    errno.ENXIO: FAILED_PRECONDITION,
    errno.ENODEV: FAILED_PRECONDITION,
    errno.EXDEV: FAILED_PRECONDITION,
    errno.EMLINK: FAILED_PRECONDITION,
    errno.ESPIPE: FAILED_PRECONDITION,
    errno.EOPNOTSUPP: FAILED_PRECONDITION,
    errno.ESRCH: NOT_FOUND,
    errno.EINVAL: INVALID_ARGUMENT,
    errno.ENAMETOOLONG: INVALID_ARGUMENT,
    errno.E2BIG: INVALID_ARGUMENT,
    errno.ENOEXEC: INVALID_ARGUMENT,
    errno.EAGAIN: RESOURCE_EXHAUSTED,
    errno.ENOMEM: RESOURCE_EXHAUSTED,
    errno.EMFILE: RESOURCE_EXHAUSTED,
    errno.ENFILE: RESOURCE_EXHAUSTED,
}


class AgentError(Exception):
    """A refusal with a stable code; the message is for people."""

    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code
        self.message = message


def of_os_error(failure: OSError, subject: str = "") -> AgentError:
    """The error for a failed system call; the subject is what the caller named, never a path of ours."""
    # What a file system of the sandbox does not do is no failure of the agent.
    code = _BY_ERRNO.get(failure.errno, FAILED_PRECONDITION)
    reason = (failure.strerror or "failed").lower()
    return AgentError(code, "'%s': %s" % (subject, reason) if subject else reason)
