package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A page of projects, the oldest first.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
@Schema(
        name = "ProjectPage",
        requiredProperties = {"projects"})
public record AdminProjectPage(List<AdminProjectView> projects, String next) {}
