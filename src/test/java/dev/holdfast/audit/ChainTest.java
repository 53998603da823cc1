package dev.holdfast.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ChainTest {
    private static final Instant NOW = Instant.parse("2030-01-31T12:00:00Z");
    private static final Chain.Point END = new Chain.Point(3, Digest.of(new byte[] {3}));

    private final Chain chain = new Chain(UUID.randomUUID());

    private boolean tells(Breach breach) {
        return chain.verified(NOW, END, Optional.ofNullable(breach));
    }

    @Test
    void thatItIsBrokenIsToldOnceForEachPlaceAndReason() {
        assertThat(tells(null)).isTrue();
        assertThat(tells(null)).isFalse();
        assertThat(tells(new Breach(2, Breach.BACKDATED))).isTrue();
        assertThat(tells(new Breach(2, Breach.BACKDATED))).isFalse();
        assertThat(tells(new Breach(4, Breach.CHANGED))).isTrue();
        assertThat(tells(new Breach(4, Breach.MISSING))).isTrue();
        assertThat(tells(new Breach(4, Breach.MISSING))).isFalse();
    }
}
