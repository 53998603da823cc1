package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** All there are; the first one is taken where none is named. */
@Schema(
        name = "Profiles",
        requiredProperties = {"profiles"})
public record ProfilesView(List<ProfileView> profiles) {}
