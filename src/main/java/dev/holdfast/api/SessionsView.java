package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The newest that have not ended, at most 50. */
@Schema(
        name = "Sessions",
        requiredProperties = {"sessions"})
public record SessionsView(List<SessionView> sessions) {}
