package dev.holdfast.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DeliveriesTest {

    /** A new one that is forgotten would go on for a worker whose name another server has. */
    @Test
    void knowsEveryListenerThatTakesForThisWorker() {
        var listeners =
                new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .importPackages("dev.holdfast")
                                .stream()
                                .filter(each -> each.isAnnotatedWith(MessageDriven.class))
                                .filter(DeliveriesTest::isForOneWorker)
                                .map(JavaClass::getSimpleName);

        assertThat(listeners).containsExactlyInAnyOrderElementsOf(Deliveries.LISTENERS);
    }

    private static boolean isForOneWorker(JavaClass listener) {
        return Arrays.stream(listener.getAnnotationOfType(MessageDriven.class).activationConfig())
                .map(ActivationConfigProperty::propertyValue)
                .anyMatch(selector -> selector.matches(".*\\bworker = .*HOLDFAST_WORKER_ID.*"));
    }
}
