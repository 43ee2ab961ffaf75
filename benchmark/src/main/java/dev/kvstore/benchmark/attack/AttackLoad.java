package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.measure.CallLoad;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Callers of an attacker, which go on until this is closed. For one thread. */
final class AttackLoad implements AutoCloseable {
    private static final double NANOS = 1e9;

    // A broken connection of a limited rate is made anew after so long.
    private static final long RECONNECT_MILLIS = 20;

    private final LongAdder done = new LongAdder();
    private final LongAdder won = new LongAdder();
    private final Set<RawConnection> open = ConcurrentHashMap.newKeySet();
    private final CallLoad load = new CallLoad();
    private final Runnable end;
    private volatile boolean ending;

    private AttackLoad(Runnable end) {
        this.end = end;
    }

    /** A call of an attacker. */
    @FunctionalInterface
    interface AttackCall {
        /**
         * @param number another one each time
         * @return whether it won an answer that an attacker must not get
         */
        boolean wins(int number) throws InterruptedException;
    }

    /** A step that an attacker repeats over a connection. */
    @FunctionalInterface
    interface ConnectionStep {
        /** @return how much was done */
        int run(RawConnection connection) throws IOException, InterruptedException;
    }

    /**
     * Calls again and again.
     *
     * @param perSecond the most calls of all callers together; 0 for the next call as soon as the last one ended
     * @param end called first when the attack ends; calls under way return soon after
     */
    static AttackLoad calling(int callers, int perSecond, AttackCall call, Runnable end) {
        AttackLoad attack = new AttackLoad(end);
        AtomicInteger numbers = new AtomicInteger();
        attack.load.paced(callers, interval(callers, perSecond), _ -> {
            if (!attack.ending) {
                if (call.wins(numbers.getAndIncrement())) {
                    attack.won.increment();
                }
                attack.done.increment();
            }
        });
        return attack;
    }

    /**
     * Connections, each of a caller of its own, which makes it anew when it breaks.
     *
     * @param perSecond steps of all callers together; 0 for as fast as the server takes them
     * @param steps makes the step of each caller
     */
    static AttackLoad connecting(
            String endpoint, int connections, int perSecond, Supplier<? extends ConnectionStep> steps) {
        AttackLoad attack = new AttackLoad(() -> {});
        for (int i = 0; i < connections; i++) {
            attack.load.paced(
                    1,
                    interval(connections, perSecond),
                    attack.new ConnectionCaller(endpoint, steps.get(), perSecond == 0 ? 0 : RECONNECT_MILLIS));
        }
        return attack;
    }

    /** Makes connections, as many as the server takes, and leaves them alone. */
    static AttackLoad silent(String endpoint, int connections) {
        AttackLoad attack = new AttackLoad(() -> {});
        try {
            for (int i = 0; i < connections; i++) {
                attack.open.add(RawConnection.open(endpoint));
                attack.done.increment();
            }
        } catch (IOException refused) {
            // There may be no more.
        }
        return attack;
    }

    private static Duration interval(int callers, int perSecond) {
        return Duration.ofNanos(perSecond == 0 ? 0 : Math.round(NANOS * callers / perSecond));
    }

    private final class ConnectionCaller implements CallLoad.LoadCall {
        private final String endpoint;
        private final ConnectionStep step;
        private final long reconnectMillis;
        private @Nullable RawConnection connection;

        ConnectionCaller(String endpoint, ConnectionStep step, long reconnectMillis) {
            this.endpoint = endpoint;
            this.step = step;
            this.reconnectMillis = reconnectMillis;
        }

        @Override
        public void make(int number) throws InterruptedException {
            try {
                RawConnection current = connection;
                if (current == null) {
                    current = RawConnection.open(endpoint);
                    open.add(current);
                    connection = current;
                }
                if (ending) {
                    current.close();
                } else {
                    done.add(step.run(current));
                }
            } catch (IOException closed) {
                if (connection != null) {
                    connection.close();
                    open.remove(connection);
                    connection = null;
                }
                TimeUnit.MILLISECONDS.sleep(reconnectMillis);
            }
        }
    }

    /** Calls, connections or frames so far. */
    long done() {
        return done.sum();
    }

    /** Answers that the attacker must not get, so far. */
    long won() {
        return won.sum();
    }

    @Override
    public void close() {
        ending = true;
        end.run();
        open.forEach(RawConnection::close);
        load.close();
    }
}
