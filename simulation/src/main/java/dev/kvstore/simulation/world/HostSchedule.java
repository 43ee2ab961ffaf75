package dev.kvstore.simulation.world;

import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Starts threads of the host at times of the world. */
public final class HostSchedule extends HostExecutor implements ScheduledExecutorService {
    /** A task and its time. */
    private final class Scheduled<T extends @Nullable Object> extends FutureTask<T> implements ScheduledFuture<T> {
        private final long everyNanos;
        private final boolean fromEnd;
        private Alarm alarm;

        /** @param everyNanos the period; zero to run once */
        Scheduled(Callable<T> task, long inNanos, long everyNanos, boolean fromEnd) {
            super(task);
            this.everyNanos = everyNanos;
            this.fromEnd = fromEnd;
            this.alarm = set(inNanos);
        }

        private Alarm set(long inNanos) {
            SimulatedHost host = World.current().host();
            return host.alarm(inNanos, () -> host.execute(this::ring));
        }

        private void ring() {
            if (isShutdown()) {
                return;
            }
            if (everyNanos == 0) {
                run();
                return;
            }
            long begun = World.current().ownNanos();
            if (runAndReset() && !isShutdown()) {
                alarm = set(everyNanos - (fromEnd ? 0 : World.current().ownNanos() - begun));
            }
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            alarm.cancel();
            return super.cancel(mayInterrupt);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(alarm.at() - World.current().nanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    private static Callable<@Nullable Void> callable(Runnable task) {
        return () -> {
            task.run();
            return null;
        };
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return new Scheduled<@Nullable Void>(callable(task), unit.toNanos(delay), 0, false);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        return new Scheduled<>(task, unit.toNanos(delay), 0, false);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long every, TimeUnit unit) {
        return new Scheduled<@Nullable Void>(callable(task), unit.toNanos(first), unit.toNanos(every), false);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long every, TimeUnit unit) {
        return new Scheduled<@Nullable Void>(callable(task), unit.toNanos(first), unit.toNanos(every), true);
    }
}
