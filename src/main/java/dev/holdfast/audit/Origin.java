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
 * @param name what people call them, where the principal does not lead to it; null else
 * @param service whether that is somebody of the service and not of a project
 */
public record Origin(
        String principal,
        String name,
        boolean service,
        String address,
        String userAgent,
        String requestId) {
    /** Who has shown no key; such a one changes nothing. */
    static final String NOBODY = "nobody";

    private static final String SYSTEM = "system";
    private static final String ATTRIBUTE = Origin.class.getName();
    private static final String NAME = ATTRIBUTE + ".name";
    private static final int LONGEST_ADDRESS = 64;
    private static final int LONGEST_AGENT = 256;
    private static final Origin NONE = new Origin(SYSTEM, null, false, null, null, null);
    private static final ThreadLocal<Origin> CURRENT = new ThreadLocal<>();

    public Origin {
        address = Bounded.text(address, LONGEST_ADDRESS);
        userAgent = Bounded.text(userAgent, LONGEST_AGENT);
    }

    /** What people call who sends this request; to be said before the filter sees it. */
    public static void name(HttpServletRequest request, String name) {
        request.setAttribute(NAME, name);
    }

    static String name(HttpServletRequest request) {
        return request.getAttribute(NAME) instanceof String name ? name : null;
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
        return () -> origin.during(work);
    }

    /** The work, for whoever this is. */
    public <T> T during(Supplier<T> work) {
        Origin before = CURRENT.get();
        CURRENT.set(this);
        try {
            return work.get();
        } finally {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }
}
