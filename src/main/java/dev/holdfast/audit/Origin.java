package dev.holdfast.audit;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where an act comes from: the request that this thread serves, or the system itself. Not a bean of
 * the request, because what waits for a state of a sandbox goes on in another thread, where no
 * request is; it is carried there by {@link #carried}.
 *
 * @param principal who asks, as the text of a principal
 * @param service whether that is somebody of the service and not of a project
 */
public record Origin(
        String principal, boolean service, String address, String userAgent, String requestId) {
    /** Who has shown no key; such a one changes nothing. */
    static final String NOBODY = "nobody";

    private static final String SYSTEM = "system";
    private static final String ATTRIBUTE = Origin.class.getName();
    private static final int LONGEST_ADDRESS = 64;
    private static final int LONGEST_AGENT = 256;
    private static final Origin NONE = new Origin(SYSTEM, false, null, null, null);
    private static final ThreadLocal<Origin> CURRENT = new ThreadLocal<>();

    public Origin {
        address = Bounded.text(address, LONGEST_ADDRESS);
        userAgent = Bounded.text(userAgent, LONGEST_AGENT);
    }

    /** What this thread works for. */
    static Origin current() {
        return Optional.ofNullable(CURRENT.get()).orElse(NONE);
    }

    /** Of a request that the filter has seen, in whatever thread it is answered. */
    public static Origin of(ContainerRequestContext request) {
        return request.getProperty(ATTRIBUTE) instanceof Origin known ? known : NONE;
    }

    /** Of a request that the filter has seen. */
    public static Origin of(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Origin known ? known : NONE;
    }

    void begin(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
        begin();
    }

    void begin() {
        CURRENT.set(this);
    }

    static void end() {
        CURRENT.remove();
    }

    /** The same work, for whoever asks now, in whatever thread it is done. */
    public static <T> Supplier<T> carried(Supplier<T> work) {
        Origin origin = current();
        return () -> {
            Origin before = CURRENT.get();
            CURRENT.set(origin);
            try {
                return work.get();
            } finally {
                if (before == null) {
                    CURRENT.remove();
                } else {
                    CURRENT.set(before);
                }
            }
        };
    }
}
