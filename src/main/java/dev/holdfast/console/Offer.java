package dev.holdfast.console;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** The way in beside the key, as long as this node has one. */
@ApplicationScoped
public class Offer {

    /**
     * @param name whose people it is for
     * @param address where it begins, at this very origin
     */
    public record OpenId(String name, String address) {}

    private volatile OpenId openId;

    public void make(OpenId made) {
        openId = made;
    }

    public void withdraw() {
        openId = null;
    }

    Optional<OpenId> openId() {
        return Optional.ofNullable(openId);
    }
}
