package dev.holdfast.access;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.role.PlayedRoles;
import jakarta.persistence.EntityManager;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** With a database that refuses whatever it is asked, and says so. */
class BootstrapTest {

    @Test
    void aNodeThatOnlyWorksAdmitsNobody() {
        assertThatCode(of("worker")::admit).doesNotThrowAnyException();
    }

    @Test
    void aNodeThatControlsDoes() {
        assertThatThrownBy(of("control")::admit).isInstanceOf(Asked.class);
        assertThatThrownBy(of("control", "worker")::admit).isInstanceOf(Asked.class);
    }

    private static final class Asked extends RuntimeException {}

    private static Bootstrap of(String... roles) {
        Bootstrap bootstrap = new Bootstrap();
        bootstrap.roles = PlayedRoles.of(roles);
        bootstrap.em =
                (EntityManager)
                        Proxy.newProxyInstance(
                                BootstrapTest.class.getClassLoader(),
                                new Class<?>[] {EntityManager.class},
                                (proxy, method, arguments) -> {
                                    throw new Asked();
                                });
        return bootstrap;
    }
}
