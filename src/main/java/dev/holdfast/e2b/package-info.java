/**
 * The HTTP that the E2B SDKs speak, over our operations; the only place where E2B's words appear.
 *
 * <p><b>Facts that must hold.</b> Success statuses are exactly those the SDKs know (Python parses
 * no other); a 204 has no body; errors have a numeric {@code code} (room {@code problem}); no
 * redirects; identifiers in paths are one percent-encoded segment.
 *
 * <p><b>How it grows.</b> A resource is added to {@link dev.holdfast.e2b.E2bApplication} by hand
 * and says who may call it, or nobody can (room {@code access}).
 */
package dev.holdfast.e2b;
