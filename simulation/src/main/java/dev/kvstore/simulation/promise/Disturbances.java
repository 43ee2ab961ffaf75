package dev.kvstore.simulation.promise;

import dev.kvstore.simulation.plan.Plan;
import dev.kvstore.simulation.step.HistoryStep;
import dev.kvstore.simulation.step.kind.InjectedFault;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/** The times until which clients cannot count on answers of data planes. All times are nanoseconds of the world. */
public final class Disturbances {
    /** The end of a disturbance by a restart: clients may retry a connection that failed often only minutes later. */
    private static final long FOR_EVER = Long.MAX_VALUE / 2;

    /** A data plane has recovered this long after a disturbance. */
    private static final long RECOVERED = 30_000_000_000L;

    private final long[] until = new long[Plan.PLANES];

    public Disturbances() {
        Arrays.fill(until, -RECOVERED);
    }

    /**
     * A step begins.
     *
     * @param ending gives the time at which a fault ends that is to last so many milliseconds
     */
    public void begin(HistoryStep step, LongUnaryOperator ending) {
        switch (step) {
            case HistoryStep.Kill kill -> disturb(kill.plane(), FOR_EVER);
            case HistoryStep.Stop stop -> disturb(stop.plane(), FOR_EVER);
            case HistoryStep.Freeze(int plane, long millis) -> disturb(plane, ending.applyAsLong(millis));
            case HistoryStep.Mood mood -> disturb(mood.plane(), ending.applyAsLong(mood.millis()));
            case HistoryStep.CutCable(String from, int plane, long millis) -> way(from, plane, ending, millis);
            case HistoryStep.Inject(InjectedFault fault) -> begin(fault, ending);
            default -> {}
        }
    }

    private void begin(InjectedFault fault, LongUnaryOperator ending) {
        switch (fault) {
            case InjectedFault.TroubleStorage of -> disturb(of.plane(), ending.applyAsLong(of.millis()));
            case InjectedFault.TroubleDisk of -> disturb(of.plane(), ending.applyAsLong(of.millis()));
            case InjectedFault.TroubleWay of -> way(of.from(), of.plane(), ending, of.millis());
            case InjectedFault.LosePower(int plane, long _) -> disturb(plane, FOR_EVER);
            case InjectedFault.LoseContainer(long millis) -> {
                for (int plane = 0; plane < until.length; plane++) {
                    disturb(plane, ending.applyAsLong(millis));
                }
            }
            case InjectedFault.DamageBlock _,
                    InjectedFault.DamagePresence _,
                    InjectedFault.FlipDisk _,
                    InjectedFault.DriftClock _ -> {}
        }
    }

    private void way(String from, int plane, LongUnaryOperator ending, long millis) {
        if (from.equals(Plan.CLIENTS)) {
            disturb(plane, ending.applyAsLong(millis));
        }
    }

    private void disturb(int plane, long end) {
        until[plane] = Math.max(until[plane], end);
    }

    /**
     * Whether a data plane must answer a call that began at this time: its last disturbance ended at least 30 s before.
     */
    public boolean areOver(int plane, long asked) {
        return until[plane] + RECOVERED < asked;
    }
}
