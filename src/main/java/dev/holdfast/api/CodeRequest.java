package dev.holdfast.api;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Code to run, at most 1 MiB of it. */
@Schema(
        name = "CodeRequest",
        requiredProperties = {"code"})
public record CodeRequest(@Schema(examples = "total = 42") String code) {}
