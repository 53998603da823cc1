package dev.holdfast.problem;

/**
 * Where long work is shown. It is here and not at the edge, because the refusals of every room name
 * it, in every dialect.
 */
public final class OperationAddress {
    private OperationAddress() {}

    /** The path from the root of the server. */
    public static String of(Object project, Object upload) {
        return "/api/v1/projects/" + project + "/operations/" + upload;
    }
}
