package dev.kvstore.listener;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Whose input is decoded next, among the connections of a listener that have sent much ({@link FairInput}): fair queueing (J.
 * Nagle, RFC 970) of each event loop, in which addresses take turns, and the connections of an address among themselves. Between
 * two turns the event loop looks after its other connections, so these wait for one turn at most, however many connections an
 * address has. No turn is given up: an address that is alone is served as fast as it sends. Thread-safe.
 */
public final class FairTurns {
    private final Map<EventLoop, LoopTurns> loops = new ConcurrentHashMap<>();

    /** Has an input's turn come after those of the others; for its event loop. It waits for one turn at a time. */
    void queue(EventLoop loop, Object origin, FairInput input) {
        loops.computeIfAbsent(loop, LoopTurns::new).add(origin, input);
    }

    /** Of one event loop, and for it. No more wait than it has connections. */
    private static final class LoopTurns {
        private final EventLoop loop;
        private final LinkedHashMap<Object, Queue<FairInput>> origins = new LinkedHashMap<>();

        LoopTurns(EventLoop loop) {
            this.loop = loop;
        }

        void add(Object origin, FairInput input) {
            if (origins.isEmpty()) {
                serveLater();
            }
            origins.computeIfAbsent(origin, _ -> new ArrayDeque<>()).add(input);
        }

        /** After the event loop has looked at all its connections: timers are due then, other tasks may be at once. */
        private void serveLater() {
            var _ = loop.schedule(this::serve, 0, TimeUnit.NANOSECONDS);
        }

        private void serve() {
            Map.Entry<Object, Queue<FairInput>> first = origins.pollFirstEntry();
            FairInput next = first.getValue().remove();
            if (!first.getValue().isEmpty()) {
                origins.put(first.getKey(), first.getValue());
            }
            if (!origins.isEmpty()) {
                serveLater();
            }
            next.turn();
        }
    }
}
