package dev.holdfast.api;

import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What a sandbox may have otherwise than its snapshot, as it is described. */
@Schema(
        name = "RestoreRequest",
        description =
                "What is left out is as the snapshot has it. Variables, mounts and settings of the"
                        + " image are the snapshot's and are refused.")
record RestoreRequest(
        @Schema(description = "true: only say whether it would be taken") Boolean dryRun,
        @Schema(pattern = "^i[a-z0-9]{20}$", description = "The ID it shall have") String sandboxID,
        @Schema(minimum = "0", maximum = "2147483647", description = "Seconds", examples = "300")
                Integer timeout,
        @Schema(
                        minimum = "0",
                        maximum = "2147483647",
                        description = "Seconds without traffic and running commands")
                Integer idleTimeout,
        @Schema(description = "Whether its data plane asks for a token") Boolean secure,
        Map<String, String> metadata,
        @Schema(name = "allow_internet_access") Boolean allowInternetAccess,
        @Schema(description = "Pause at the timeout instead of the end") Boolean autoPause,
        @Schema(description = "false keeps the files only at that pause") Boolean autoPauseMemory,
        AutoResume autoResume,
        Network network) {

    /** Whether traffic resumes a paused one. */
    @Schema(name = "AutoResume")
    record AutoResume(Boolean enabled) {}

    /** What it may reach, and who may reach it. */
    @Schema(name = "NetworkPolicy")
    record Network(
            Boolean allowPublicTraffic,
            List<String> allowOut,
            List<String> denyOut,
            String maskRequestHost) {}
}
