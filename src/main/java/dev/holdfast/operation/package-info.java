/**
 * How long work is told over HTTP, the same in every dialect: waited for without a thread, answered
 * early for those who prefer that, and seen as an operation.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.operation.CaptureAnswers} takes a capture and answers
 * it; {@link dev.holdfast.operation.Preference} is what a caller prefers, and answers long work so;
 * {@link dev.holdfast.operation.OperationView} is the operation as JSON.
 *
 * <p><b>Out of scope.</b> The operation's own resource: {@code api}. What an operation is and how
 * it ends: {@code snapshot} and {@code capture}.
 *
 * <p><b>Decisions.</b> A room of its own, because {@code api} reads bodies as {@code e2b} does and
 * {@code e2b} answers captures as {@code api} does: neither may need the other for both.
 */
package dev.holdfast.operation;
