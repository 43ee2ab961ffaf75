package dev.kvstore.testing;

import java.time.Duration;

/** The longest time that a test waits for an event. */
public final class Patience {
    /** Enough on two cores where two JVMs run tests and another program takes a core; no test that passes waits so long. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private Patience() {}
}
