package dev.kvstore.listener;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Decides which connection's input is decoded next. A turn is 16 calls, or 12 calls that are reset at once ({@link
 * FairInput}). Only connections that have sent more than a turn takes wait here. This is fair queueing (J. Nagle, RFC
 * 970) in each event loop: addresses take turns, and within an address its connections. Between two turns the event
 * loop serves all connections that do not wait here, so these are delayed by one turn at most, however many connections
 * an address has. No turn stays unused: an address that is alone is served as fast as it sends. Thread-safe.
 */
public final class FairTurns {
    private final Map<EventLoop, LoopTurns> loops = new ConcurrentHashMap<>();

    /** Queues an input for its next turn. Must be called by the input's event loop, and not again before that turn. */
    void queue(EventLoop loop, Object origin, FairInput input) {
        loops.computeIfAbsent(loop, LoopTurns::new).add(origin, input);
    }

    /**
     * The inputs that wait in one event loop, at most one for each of its connections. Only that event loop uses them.
     */
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

        /**
         * Gives the next turn after the event loop has looked at all its connections. A timer runs only then; a task
         * might run before.
         */
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
