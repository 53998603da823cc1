package dev.holdfast.quota;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * Stored bytes times how long they were stored, to the byte and the microsecond.
 *
 * @param byteMicros never negative
 */
public record ByteTime(BigInteger byteMicros) {

    public static final ByteTime NONE = new ByteTime(BigInteger.ZERO);

    private static final BigDecimal MICROS_OF_AN_HOUR =
            BigDecimal.valueOf(Duration.of(1, ChronoUnit.HOURS).toNanos() / 1000);

    public ByteTime {
        Objects.requireNonNull(byteMicros);
        if (byteMicros.signum() < 0) {
            throw new IllegalArgumentException("nothing is stored for less than no time");
        }
    }

    static ByteTime of(long bytes, Duration time) {
        return new ByteTime(
                BigInteger.valueOf(bytes)
                        .multiply(
                                BigInteger.valueOf(
                                        time.dividedBy(ChronoUnit.MICROS.getDuration()))));
    }

    public ByteTime plus(ByteTime other) {
        return new ByteTime(byteMicros.add(other.byteMicros));
    }

    /** What storage is paid by: whole byte-hours, rounded. */
    public long byteHours() {
        return new BigDecimal(byteMicros)
                .divide(MICROS_OF_AN_HOUR, 0, RoundingMode.HALF_UP)
                .min(BigDecimal.valueOf(Long.MAX_VALUE))
                .longValue();
    }
}
