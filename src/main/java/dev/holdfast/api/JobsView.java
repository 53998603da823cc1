package dev.holdfast.api;

import java.util.List;

/** All jobs there are. */
public record JobsView(List<JobView> jobs) {}
