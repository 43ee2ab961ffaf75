package dev.kvstore.testing;

import java.time.Duration;

/** How long tests wait for what has to happen. */
public final class Patience {
    /** Enough for a machine of two cores on which two JVMs run tests and something else takes a core; nobody waits it out. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private Patience() {}
}
