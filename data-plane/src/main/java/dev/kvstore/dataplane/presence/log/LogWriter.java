package dev.kvstore.dataplane.presence.log;

import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** The process that writes logs. Thread-safe. */
public final class LogWriter {
    private final String node;
    private final String process;
    private final AtomicLong logs = new AtomicLong();

    private LogWriter(String node, String process) {
        this.node = node;
        this.process = process;
    }

    /**
     * A process that has just started.
     *
     * @param node stays when the process is started again; no two processes that run have the same. 1 to 127 of a-z,
     *     0-9 and '-'
     * @param random names the process, differently at each start
     */
    public static LogWriter of(String node, RandomGenerator random) {
        if (!node.matches("[a-z0-9-]{1,127}")) {
            throw new IllegalArgumentException("node must be 1 to 127 of a-z 0-9 -, not " + node);
        }
        return new LogWriter(node, "%016x".formatted(random.nextLong()));
    }

    /**
     * A name for a log that no log had before, in any partition: a log that is complete is never read again, so that
     * its name must not come back with other content.
     */
    String nextLog() {
        return node + "." + process + "." + logs.getAndIncrement();
    }

    /** Whether this process wrote a log. */
    boolean wrote(String log) {
        return log.startsWith(node + "." + process + ".");
    }

    /** Whether this node wrote a log before it was started again. */
    boolean succeeds(String log) {
        return log.startsWith(node + ".") && !wrote(log);
    }
}
