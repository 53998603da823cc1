package dev.holdfast.openid;

import java.util.List;
import java.util.Optional;

/** What became of somebody who stands at the door. */
public sealed interface Entry {

    /**
     * They are in.
     *
     * @param cookie the header that says so to the browser
     */
    record Admitted(String cookie) implements Entry {}

    /**
     * They have nothing to do here.
     *
     * @param provider what people call who vouches for them
     * @param name what people call them
     * @param claim which claim was read
     * @param roles what it held
     * @param strange the projects that roles name and that are not there, or closed
     * @param farewell where the provider lets them become somebody else
     */
    record Stranger(
            String provider,
            String name,
            String claim,
            List<String> roles,
            List<String> strange,
            Optional<String> farewell)
            implements Entry {}

    /** The provider's word is over already, by the clock of this machine. */
    record Late() implements Entry {}
}
