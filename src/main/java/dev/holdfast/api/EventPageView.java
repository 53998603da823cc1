package dev.holdfast.api;

import dev.holdfast.event.EventPage;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A page of events, oldest first.
 *
 * @param gap whether events between {@code after} and this page are not kept any more
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
@Schema(
        name = "EventPage",
        requiredProperties = {"events", "gap"})
public record EventPageView(List<EventView> events, boolean gap, String next) {

    static EventPageView of(EventPage found, int most) {
        List<EventView> views = found.events().stream().limit(most).map(EventView::of).toList();
        return new EventPageView(
                views, found.gap(), found.events().size() > most ? views.get(most - 1).id() : null);
    }
}
