package dev.kvstore.dataplane.presence;

import java.util.random.RandomGenerator;

/**
 * Who writes a log.
 *
 * @param node stays when the process is started again; no two processes that run have the same. Letters, digits and '-'
 * @param process differs at each start
 */
record Identity(String node, String process) {
    static Identity of(String node, RandomGenerator random) {
        if (!node.matches("[a-z0-9-]{1,127}")) {
            throw new IllegalArgumentException("node must be 1 to 127 of a-z 0-9 -, not " + node);
        }
        return new Identity(node, "%016x".formatted(random.nextLong()));
    }

    /** The name of one of its logs. */
    String log(long number) {
        return node + "." + process + "." + number;
    }

    /** Whether it wrote a log. */
    boolean wrote(String log) {
        return log.startsWith(node + "." + process + ".");
    }

    /** Whether a log is of this node before it was started again. */
    boolean succeeds(String log) {
        return log.startsWith(node + ".") && !wrote(log);
    }
}
