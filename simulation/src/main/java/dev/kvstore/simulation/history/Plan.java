package dev.kvstore.simulation.history;

import dev.kvstore.simulation.fleet.StorageMood;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * All steps of a history, in their order. Immutable.
 *
 * @param millis the length of the history, before the last look at everything
 */
public record Plan(List<TimedStep> steps, long millis) {
    static final int PLANES = 3;
    static final int PROMPTS = 12;
    static final int BLOCKS = 3;
    static final int CONTENTS = 3;
    static final String CLIENTS = "clients";
    static final List<String> NAMES = List.of("a", "b", "c");

    private static final long SECONDS_LEAST = 20;
    private static final long SECONDS_MOST = 180;
    /** Longer than others wait before they take a process for dead (20 s), and than all that follows from it. */
    private static final long LONGEST_FAULT = 60_000;

    private static final List<String> CALLERS = List.of("a", "b", "c", CLIENTS);
    private static final List<String> OPERATIONS = List.of(
            "", "", "putIfAbsent", "putIfMatch", "get", "getIfChanged", "list", "deleteIfMatch", "exists", "getRange");

    /** A history waits for changes of these. */
    private static final List<String> FILES =
            List.of("", "presence/a.", "presence/b.", "presence/c.", "presence/snapshot", "presence/parts/");

    private static final List<Function<Draw, HistoryStep>> CALLS = List.of(
            draw -> new HistoryStep.WritePrompt(draw.plane(), draw.prompt(), 1 + draw.block(), draw.content()),
            draw -> new HistoryStep.StreamPrompt(draw.plane(), draw.prompt(), 1 + draw.block(), draw.content()),
            draw -> new HistoryStep.LookUp(draw.plane(), draw.prompt()),
            draw -> new HistoryStep.ReadBlock(draw.plane(), draw.prompt(), draw.block()),
            draw -> new HistoryStep.ReadPrompt(draw.plane(), draw.prompt()),
            draw -> new HistoryStep.LeaveRead(draw.plane(), draw.prompt(), draw.block(), draw.millis(100)),
            draw -> new HistoryStep.LeavePrompt(draw.plane(), draw.prompt(), draw.millis(100)),
            draw -> new HistoryStep.LeaveWrite(
                    draw.plane(), draw.prompt(), draw.block(), draw.content(), draw.millis(100)));

    private static final List<Function<Draw, HistoryStep>> FAULTS = List.of(
            draw -> new HistoryStep.Kill(draw.plane(), draw.millis(LONGEST_FAULT)),
            draw -> new HistoryStep.Stop(draw.plane(), draw.millis(LONGEST_FAULT)),
            draw -> new HistoryStep.Freeze(draw.plane(), draw.millis(LONGEST_FAULT)),
            draw -> new HistoryStep.StepClock(draw.plane(), draw.millis(120_000) - 60_000),
            draw -> new HistoryStep.Mood(draw.plane(), draw.mood(), draw.millis(LONGEST_FAULT)),
            draw -> new HistoryStep.CutCable(draw.caller(), draw.plane(), draw.millis(LONGEST_FAULT)),
            draw -> new HistoryStep.Lose(draw.prompt(), draw.block()),
            draw -> new HistoryStep.BringBack(draw.prompt(), draw.block()),
            draw -> new HistoryStep.LosePresence(),
            draw -> new HistoryStep.FlipBit(
                    draw.prompt(), draw.block(), draw.random().nextInt(800)),
            draw -> new HistoryStep.Misplace(draw.prompt(), draw.block(), draw.block()),
            draw -> new HistoryStep.Ambush(draw.file(), draw.sudden()));

    /** A step and its time since the beginning. */
    public record TimedStep(long millis, HistoryStep step) {}

    public Plan {
        steps = List.copyOf(steps);
    }

    /** This plan with some of its steps. */
    Plan only(BitSet kept) {
        return new Plan(kept.stream().mapToObj(steps::get).toList(), millis);
    }

    /**
     * The plan of a seed. Each seed leaves some kinds of calls and faults out, so that others come more often (swarm
     * testing: Groce and others, 2012).
     */
    static Plan of(SplittableRandom random) {
        long millis = 1000 * random.nextLong(SECONDS_LEAST, SECONDS_MOST);
        StepMix calls = StepMix.of(CALLS, random.nextDouble(0.1, 4), random);
        StepMix faults = StepMix.of(FAULTS, random.nextInt(6) == 0 ? 0 : random.nextDouble(0.02, 0.5), random);
        Draw draw = new Draw(random, 1 + random.nextInt(PROMPTS));
        List<TimedStep> steps = new ArrayList<>();
        long wave = 500 + draw.millis(8000);
        long pause = random.nextBoolean() ? 0 : 4000 + random.nextLong(14_000);
        double both = calls.perSecond + faults.perSecond;
        for (double at = 0; at < millis; at += 1000 * -Math.log(1 - random.nextDouble()) / both) {
            StepMix next = random.nextDouble() * both < calls.perSecond ? calls : faults;
            // Waves of calls: logs close between them.
            steps.add(new TimedStep((long) at + (long) at / wave * pause, next.step(draw)));
        }
        StepPatterns.add(draw, millis, steps);
        return new Plan(StepPatterns.within(millis, steps), millis);
    }

    /** Kinds of steps that come in a history, each as often as the others. */
    private record StepMix(List<Function<Draw, HistoryStep>> kinds, double perSecond) {
        static StepMix of(List<Function<Draw, HistoryStep>> all, double perSecond, SplittableRandom random) {
            List<Function<Draw, HistoryStep>> some =
                    all.stream().filter(_ -> random.nextBoolean()).toList();
            return new StepMix(some.isEmpty() ? all : some, perSecond);
        }

        HistoryStep step(Draw draw) {
            return kinds.get(draw.random.nextInt(kinds.size())).apply(draw);
        }
    }

    /** Draws what a step is about. */
    record Draw(SplittableRandom random, int prompts) {
        int plane() {
            return random.nextInt(PLANES);
        }

        int prompt() {
            return random.nextInt(prompts);
        }

        int block() {
            return random.nextInt(BLOCKS);
        }

        int content() {
            return random.nextInt(CONTENTS);
        }

        /** Short ones more often than long ones. */
        long millis(long most) {
            return (long) (most * Math.pow(random.nextDouble(), 2)) + 1;
        }

        String caller() {
            return CALLERS.get(random.nextInt(CALLERS.size()));
        }

        /** What the name of a file in a partition begins with. */
        String file() {
            return FILES.get(random.nextInt(FILES.size()));
        }

        /** What matters most right after something else. */
        HistoryStep sudden() {
            return switch (random.nextInt(6)) {
                case 0, 1 -> new HistoryStep.Kill(plane(), millis(LONGEST_FAULT));
                case 2 -> new HistoryStep.Freeze(plane(), millis(LONGEST_FAULT));
                case 3 -> new HistoryStep.WritePrompt(plane(), prompt(), 1 + block(), content());
                case 4 -> new HistoryStep.LookUp(plane(), prompt());
                default -> new HistoryStep.Mood(plane(), mood(), millis(LONGEST_FAULT));
            };
        }

        StorageMood mood() {
            String operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
            double often = random.nextBoolean() ? 1 : random.nextDouble();
            return switch (random.nextInt(3)) {
                case 0 -> new StorageMood(often, 0, 1, operation);
                case 1 -> new StorageMood(0, often, 1, operation);
                default -> new StorageMood(0.1, 0.1, 1 + random.nextInt(400), operation);
            };
        }
    }
}
