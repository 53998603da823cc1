package dev.holdfast.worker;

import java.util.Objects;

/** A sandbox's time is over; whoever sees to its end says so. */
public final class LastWish {

    private final Overdue due;
    private boolean granted;

    LastWish(Overdue due) {
        this.due = Objects.requireNonNull(due);
    }

    public Overdue due() {
        return due;
    }

    public void grant() {
        granted = true;
    }

    boolean isGranted() {
        return granted;
    }
}
