package dev.kvstore.simulation.history;

import dev.kvstore.simulation.storage.SimulatedContainer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Stores logs of processes that have ended, as a larger fleet leaves them, so that there are enough closed logs for a
 * merge within the time of a history. For the thread of its world.
 */
final class RepeatedLogs {
    private static final Pattern LOG = Pattern.compile(".*/presence/[a-z0-9-]+\\.[0-9a-f]{16}\\.[0-9]+");

    /** The offset of the bytes of a log that say whether it is open. */
    private static final int OPEN_AT = 16;

    private final SimulatedContainer container;
    private long processes;

    RepeatedLogs(SimulatedContainer container) {
        this.container = container;
    }

    /** Stores a closed log this many times, each time under the name of another process. */
    void repeat(int which, int times, long now) {
        List<String> closed = container.names(SimulatedBlocks.PRESENCE).stream()
                .filter(this::isClosedLog)
                .toList();
        ByteBuffer log = closed.isEmpty() ? null : container.bytes(closed.get(which % closed.size()));
        for (int i = 0; log != null && i < times; i++) {
            container.store(SimulatedBlocks.PRESENCE + "x.%016x.0".formatted(++processes), log.duplicate(), now);
        }
    }

    private boolean isClosedLog(String name) {
        ByteBuffer bytes = LOG.matcher(name).matches() ? container.bytes(name) : null;
        return bytes != null && bytes.order(ByteOrder.LITTLE_ENDIAN).getInt(OPEN_AT) == 0;
    }
}
