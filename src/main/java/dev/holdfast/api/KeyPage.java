package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A page of keys, newest first, without their secrets.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
@Schema(requiredProperties = {"keys"})
public record KeyPage(List<KeyView> keys, String next) {}
