package dev.kvstore.simulation.fleet;

import dev.kvstore.simulation.world.Alarm;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** A timer without a thread: it uses the alarms of hosts. */
public final class AlarmTimer extends HashedWheelTimer {
    private final long tickNanos;

    public AlarmTimer(ThreadFactory unused, long tick, TimeUnit unit) {
        super(unused, tick, unit);
        this.tickNanos = unit.toNanos(tick);
    }

    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
        long now = System.nanoTime();
        long due = now + Math.max(0, unit.toNanos(delay));
        // The timer rings at its next tick, never at once: its users rely on that.
        return new AlarmTimeout(this, task, (Math.floorDiv(due, tickNanos) + 1) * tickNanos - now);
    }

    private static final class AlarmTimeout implements Timeout {
        private final Timer timer;
        private final TimerTask task;
        private final Alarm alarm;

        AlarmTimeout(Timer timer, TimerTask task, long nanos) {
            this.timer = timer;
            this.task = task;
            SimulatedHost host = World.current().host();
            this.alarm = host.alarm(nanos, () -> host.execute(this::run));
        }

        private void run() {
            try {
                task.run(this);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Timer timer() {
            return timer;
        }

        @Override
        public TimerTask task() {
            return task;
        }

        @Override
        public boolean isExpired() {
            return alarm.rang();
        }

        @Override
        public boolean isCancelled() {
            return alarm.isCancelled();
        }

        @Override
        public boolean cancel() {
            return alarm.cancel();
        }
    }
}
