package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** All workers there ever were. */
@Schema(
        name = "WorkerList",
        requiredProperties = {"workers"})
public record WorkersView(List<WorkerView> workers) {}
