package dev.holdfast.access;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Without a database, so that whoever asks one for anything is seen. */
class BootstrapTest {

    @Test
    void aNodeThatOnlyWorksAdmitsNobody() {
        assertThatCode(of("worker")::admit).doesNotThrowAnyException();
    }

    @Test
    void aNodeThatControlsDoes() {
        assertThatThrownBy(of("control")::admit).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(of("control,worker")::admit).isInstanceOf(NullPointerException.class);
    }

    private static Bootstrap of(String roles) {
        Bootstrap bootstrap = new Bootstrap();
        bootstrap.roles = roles;
        return bootstrap;
    }
}
