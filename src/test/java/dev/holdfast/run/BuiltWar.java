package dev.holdfast.run;

import java.io.File;
import java.net.URISyntaxException;
import org.assertj.core.api.Assertions;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** What the build made, as it is deployed everywhere else, and the tests beside it. */
public final class BuiltWar {

    private BuiltWar() {}

    /** Deployable by Arquillian; the classes see what is package-private in their room. */
    public static WebArchive with(Class<?>... tests) {
        return ShrinkWrap.createFromZipFile(
                        WebArchive.class, new File(System.getProperty("holdfast.war")))
                .addClasses(tests)
                .addAsLibraries(jarOf(Assertions.class));
    }

    private static File jarOf(Class<?> type) {
        try {
            return new File(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
