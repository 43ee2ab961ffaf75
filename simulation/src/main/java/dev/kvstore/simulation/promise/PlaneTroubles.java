package dev.kvstore.simulation.promise;

import dev.kvstore.simulation.plan.Plan;
import dev.kvstore.simulation.step.HistoryStep;
import dev.kvstore.simulation.storage.StorageMood;
import java.time.Duration;
import java.util.Arrays;

/** The times until which clients cannot count on data planes. For the thread of its world. */
public final class PlaneTroubles {
    /** A client leaves a data plane alone for 30 s at most after its failure. */
    private static final long FORGOTTEN = Duration.ofSeconds(45).toNanos();

    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private final long[] until = new long[Plan.PLANES];

    public PlaneTroubles() {
        Arrays.fill(until, -FORGOTTEN);
    }

    /** A step is taken. */
    public void hear(HistoryStep step, long now) {
        switch (step) {
            case HistoryStep.Kill(int plane, long millis) -> last(plane, now + millis * MILLI);
            case HistoryStep.Stop(int plane, long millis) -> last(plane, now + millis * MILLI);
            case HistoryStep.Freeze(int plane, long millis) -> last(plane, now + millis * MILLI);
            case HistoryStep.CutCable(String _, int plane, long millis) -> last(plane, now + millis * MILLI);
            case HistoryStep.StepClock(int plane, long _) -> last(plane, now);
            case HistoryStep.BreakConnections(int plane) -> last(plane, now);
            case HistoryStep.Mood(int plane, StorageMood mood, long millis) -> {
                if (mood.slowed() > 1) {
                    all(now + millis * MILLI); // a data plane that is only slow is waited for
                } else {
                    last(plane, now + millis * MILLI);
                }
            }
            case HistoryStep.WritePrompt _,
                    HistoryStep.StreamPrompt _,
                    HistoryStep.LookUp _,
                    HistoryStep.ReadBlock _,
                    HistoryStep.ReadPrompt _,
                    HistoryStep.LookUpTokens _,
                    HistoryStep.LookUpAll _,
                    HistoryStep.Hasty _,
                    HistoryStep.LeaveWrite _,
                    HistoryStep.OfSdk _,
                    HistoryStep.OfControlPlanes _,
                    HistoryStep.PurgeAmbush _,
                    HistoryStep.BringBack _,
                    HistoryStep.Ambush _,
                    HistoryStep.Lose _,
                    HistoryStep.LoseDescriptor _,
                    HistoryStep.RepeatLog _,
                    HistoryStep.LosePresence _ -> {}
            default -> all(Long.MAX_VALUE); // it is not known here
        }
    }

    private void last(int plane, long end) {
        until[plane] = Math.max(until[plane], end);
    }

    /** All data planes are in trouble. */
    public void all(long end) {
        for (int plane = 0; plane < until.length; plane++) {
            last(plane, end);
        }
    }

    /** Whether any data plane had been well for 45 s at this time. */
    public boolean isAnyWell(long asked) {
        return Arrays.stream(until).anyMatch(end -> end < asked - FORGOTTEN);
    }
}
