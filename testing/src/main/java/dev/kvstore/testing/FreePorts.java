package dev.kvstore.testing;

import dev.kvstore.launcher.process.Ports;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Ports for servers that a test stops and starts again, or that know their port before they listen. They lie below the
 * ports of outgoing connections and below those that {@link Ports} gives to stacks, so neither takes one meanwhile.
 */
public final class FreePorts {
    private static final int FROM = 5_000;
    private static final int TO = 14_900;
    private static final int ATTEMPTS = 1_000;

    private FreePorts() {}

    /** A port at which no server listens now. */
    public static int one() {
        return row(1);
    }

    /** The first of so many ports in a row at which no server listens now. */
    public static int row(int size) {
        return new Random()
                .ints(ATTEMPTS, FROM, TO)
                .filter(first -> IntStream.range(first, first + size).allMatch(Ports::isFree))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + size + " free ports from " + FROM + " to " + TO));
    }
}
