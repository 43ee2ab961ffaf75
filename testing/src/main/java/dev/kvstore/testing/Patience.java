package dev.kvstore.testing;

import java.time.Duration;

/** The longest time that a test waits for an event. */
public final class Patience {
    /** Enough where two JVMs run tests on two cores and another program takes one of them. Passing tests wait less. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private Patience() {}
}
