package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The interpreters of a session, at most 100; each language has one from the beginning. */
@Schema(
        name = "Contexts",
        requiredProperties = {"contexts"})
public record ContextsView(List<ContextView> contexts) {}
