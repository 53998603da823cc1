package dev.holdfast.access;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * Another way to show who is calling than a key in a header. It is asked only where no key was
 * shown, says itself on which paths it counts, and ends in an identity like a key's, so that what a
 * caller may do is judged in one place.
 */
public interface Credential {

    /** Empty if the request does not show it. */
    Optional<Recognition> recognise(HttpServletRequest request);
}
