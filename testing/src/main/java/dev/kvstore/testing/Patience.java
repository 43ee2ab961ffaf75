package dev.kvstore.testing;

import java.time.Duration;

/** The longest time that a test waits for an event. */
public final class Patience {
    /** The limit: enough for two JVMs with tests on two cores beside another busy program. Passing tests wait less. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private Patience() {}
}
