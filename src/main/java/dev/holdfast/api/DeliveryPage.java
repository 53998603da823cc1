package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A page of deliveries, the newest event first.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
@Schema(
        name = "DeliveryPage",
        requiredProperties = {"deliveries"})
public record DeliveryPage(List<DeliveryView> deliveries, String next) {}
