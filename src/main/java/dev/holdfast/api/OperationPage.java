package dev.holdfast.api;

import dev.holdfast.operation.OperationView;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A page of operations, newest first.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
@Schema(requiredProperties = {"operations"})
public record OperationPage(List<OperationView> operations, String next) {}
