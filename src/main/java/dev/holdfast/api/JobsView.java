package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** All jobs there are. */
@Schema(
        name = "JobList",
        requiredProperties = {"jobs"})
public record JobsView(List<JobView> jobs) {}
