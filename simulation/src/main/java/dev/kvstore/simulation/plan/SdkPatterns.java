package dev.kvstore.simulation.plan;

import static dev.kvstore.simulation.plan.StepPatterns.at;

import dev.kvstore.simulation.step.HistoryStep;
import dev.kvstore.simulation.step.kind.SdkStep;
import dev.kvstore.simulation.storage.StorageMood;
import java.util.List;
import java.util.SplittableRandom;

/** Steps that belong together, like {@link StepPatterns}, about clients of the SDK. */
public final class SdkPatterns {
    private static final long SECOND = 1000;
    private static final long DEADLINE = 20 * SECOND;

    static final List<StepPatterns.StepPattern> ALL = List.of(SdkPatterns::closedAmidst);

    private SdkPatterns() {}

    /** A client is closed while its operations wait for a data plane that does not answer, or refuses them. */
    private static void closedAmidst(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int troubled = 1 + random.nextInt(Plan.PLANES);
        int first = draw.plane();
        for (int i = 0; i < troubled; i++) {
            int plane = (first + i) % Plan.PLANES;
            long lasts = SECOND + draw.millis(15 * SECOND);
            HistoryStep trouble = switch (random.nextInt(4)) {
                case 0 -> new HistoryStep.Freeze(plane, lasts);
                case 1 -> new HistoryStep.Kill(plane, lasts);
                case 2 -> new HistoryStep.Mood(plane, new StorageMood(1, 0, 1, ""), lasts);
                default -> new HistoryStep.Mood(plane, new StorageMood(0, 0, 50 + random.nextInt(350), ""), lasts);
            };
            at(steps, at + random.nextLong(100), trouble);
        }
        int operations = 2 + random.nextInt(6);
        for (int i = 0; i < operations; i++) {
            HistoryStep operation = switch (random.nextInt(4)) {
                case 0 -> new HistoryStep.OfSdk(new SdkStep.LookUp(draw.prompt(), DEADLINE));
                case 1 -> new HistoryStep.OfSdk(new SdkStep.ReadBlock(draw.prompt(), draw.block(), DEADLINE));
                case 2 -> new HistoryStep.OfSdk(new SdkStep.ReadPrompt(draw.prompt(), DEADLINE, 0, 0));
                default ->
                    new HistoryStep.OfSdk(
                            new SdkStep.WritePrompt(draw.prompt(), 1 + draw.block(), draw.content(), DEADLINE));
            };
            at(steps, at + 100 + random.nextLong(500), operation);
        }
        at(steps, at + 200 + draw.millis(6 * SECOND), new HistoryStep.OfSdk(new SdkStep.Restart(0)));
    }
}
