package dev.kvstore.simulation.plan;

import dev.kvstore.simulation.step.HistoryStep;
import dev.kvstore.simulation.step.kind.SdkStep;
import dev.kvstore.simulation.storage.StorageMood;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * All steps of a history, in their order. Immutable.
 *
 * @param millis the length of the history, before the last look at everything
 */
public record Plan(List<TimedStep> steps, long millis) {
    public static final int PLANES = 3;
    public static final int PROMPTS = 12;
    public static final int BLOCKS = 3;
    static final int CONTENTS = 3;
    public static final String CLIENTS = "clients";
    public static final List<String> NAMES = List.of("a", "b", "c");

    private static final long SECONDS_LEAST = 20;
    private static final long SECONDS_MOST = 180;

    /**
     * One of so many histories has hardly any steps but patterns: each other write or question may mend their result.
     */
    private static final int QUIET = 4;

    private static final long QUIET_SECONDS_LEAST = 70;

    /** The most calls in a second of a quiet history. */
    private static final double QUIET_CALLS = 0.03;
    /**
     * The longest fault, in milliseconds; longer than 20 s, after which others take a process for dead, and the time of
     * all consequences.
     */
    public static final long LONGEST_FAULT = 60_000;

    /** One of so many histories has clients of the SDK. */
    private static final int HISTORIES_OF_SDK = 3;

    /** The longest wait of a client in haste, in milliseconds. Most calls take less. */
    private static final long HASTY_MOST = 200;

    /** The deadlines of operations of the SDK, in milliseconds. */
    private static final List<Long> DEADLINES = List.of(200L, 2_000L, 20_000L, 20_000L);

    /**
     * The longest pause of a reader or writer, in milliseconds; longer than a server waits for a reader (30 s), and
     * over before the last look at everything.
     */
    private static final long LONGEST_PAUSE = 45_000;

    private static final List<String> CALLERS = List.of("a", "b", "c", CLIENTS);
    private static final List<String> OPERATIONS = List.of(
            "", "", "putIfAbsent", "putIfMatch", "get", "getIfChanged", "list", "deleteIfMatch", "exists", "getRange");

    /** Beginnings of the names of files whose changes ambushes wait for. */
    private static final List<String> FILES =
            List.of("", "presence/a.", "presence/b.", "presence/c.", "presence/snapshot", "presence/parts/");

    private static final List<Function<Draw, HistoryStep>> CALLS = List.of(
            draw -> new HistoryStep.WritePrompt(draw.plane(), draw.prompt(), 1 + draw.block(), draw.content()),
            draw -> new HistoryStep.StreamPrompt(draw.plane(), draw.prompt(), 1 + draw.block(), draw.content()),
            draw -> new HistoryStep.LookUp(draw.plane(), draw.prompt()),
            draw -> new HistoryStep.ReadBlock(draw.plane(), draw.prompt(), draw.block()),
            draw -> new HistoryStep.ReadPrompt(draw.plane(), draw.prompt()),
            draw -> new HistoryStep.LeaveWrite(
                    draw.plane(), draw.prompt(), draw.block(), draw.content(), draw.millis(100)),
            draw -> new HistoryStep.LookUpTokens(draw.plane(), draw.prompt()),
            draw -> new HistoryStep.LookUpAll(draw.plane(), draw.prompt()));

    private static final List<Function<Draw, HistoryStep>> CALLS_AND_HASTY = and(CALLS, List.of(Plan::hasty));

    private static final List<Function<Draw, HistoryStep>> CALLS_AND_SDK = and(
            CALLS_AND_HASTY,
            List.of(
                    draw -> new HistoryStep.OfSdk(new SdkStep.LookUp(draw.prompt(), draw.deadline())),
                    draw -> new HistoryStep.OfSdk(new SdkStep.ReadBlock(draw.prompt(), draw.block(), draw.deadline())),
                    draw -> new HistoryStep.OfSdk(
                            new SdkStep.ReadPrompt(draw.prompt(), draw.deadline(), draw.pause(), draw.breakAfter())),
                    draw -> new HistoryStep.OfSdk(
                            new SdkStep.WritePrompt(draw.prompt(), 1 + draw.block(), draw.content(), draw.deadline())),
                    draw -> new HistoryStep.OfSdk(new SdkStep.StreamPrompt(
                            draw.prompt(),
                            1 + draw.block(),
                            draw.content(),
                            draw.deadline(),
                            draw.pause(),
                            draw.breakAfter())),
                    draw -> new HistoryStep.OfSdk(new SdkStep.Restart(0))));

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
            draw -> new HistoryStep.Ambush(draw.file(), draw.sudden()));

    /** The faults of histories with clients of the SDK. */
    private static final List<Function<Draw, HistoryStep>> FAULTS_BESIDE_SDK =
            and(FAULTS, List.of(draw -> new HistoryStep.BreakConnections(draw.plane())));

    private static final List<Function<Draw, HistoryStep>> FAULTS_AND_DAMAGE = and(FAULTS, damages());

    /** A step and its time since the beginning. */
    public record TimedStep(long millis, HistoryStep step) {}

    public Plan {
        steps = List.copyOf(steps);
    }

    private static HistoryStep hasty(Draw draw) {
        HistoryStep call = CALLS.get(draw.random.nextInt(CALLS.size())).apply(draw);
        return new HistoryStep.Hasty(call, draw.millis(HASTY_MOST), draw.random.nextBoolean());
    }

    private static List<Function<Draw, HistoryStep>> damages() {
        List<Function<Draw, HistoryStep>> all = new ArrayList<>();
        all.add(draw -> new HistoryStep.FlipBit(
                draw.prompt(), draw.block(), draw.random().nextInt(800)));
        all.add(draw -> new HistoryStep.Misplace(draw.prompt(), draw.block(), draw.block()));
        for (FaultDraws.FaultDraw kind : FaultDraws.KINDS) {
            all.add(draw -> new HistoryStep.Inject(kind.of(draw.random, draw.prompt())));
        }
        return all;
    }

    private static List<Function<Draw, HistoryStep>> and(
            List<Function<Draw, HistoryStep>> some, List<Function<Draw, HistoryStep>> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    /** Whether something fails in the history. */
    public boolean hasFaults() {
        return steps.stream().anyMatch(step -> switch (step.step()) {
            case HistoryStep.WritePrompt _,
                    HistoryStep.StreamPrompt _,
                    HistoryStep.LookUp _,
                    HistoryStep.ReadBlock _,
                    HistoryStep.ReadPrompt _ -> false;
            case HistoryStep.OfSdk(SdkStep.ReadPrompt read) -> read.breakAfter() > 0;
            case HistoryStep.OfSdk(SdkStep.StreamPrompt write) -> write.breakAfter() > 0;
            case HistoryStep.OfSdk _ -> false;
            default -> true;
        });
    }

    /** Whether any step is of a kind. */
    public boolean has(Class<? extends HistoryStep> kind) {
        return steps.stream().anyMatch(step -> kind.isInstance(step.step()));
    }

    /** This plan with some of its steps. */
    public Plan only(BitSet kept) {
        return new Plan(kept.stream().mapToObj(steps::get).toList(), millis);
    }

    /**
     * The plan of a seed. Each seed leaves some kinds of calls and faults out, so that others come more often (swarm
     * testing: Groce and others, 2012).
     */
    public static Plan of(SplittableRandom random) {
        boolean isQuiet = random.nextInt(QUIET) == 0;
        long millis = 1000 * random.nextLong(isQuiet ? QUIET_SECONDS_LEAST : SECONDS_LEAST, SECONDS_MOST);
        boolean hasSdk = !isQuiet && random.nextInt(HISTORIES_OF_SDK) == 0;
        StepMix calls = StepMix.of(
                hasSdk ? CALLS_AND_SDK : CALLS_AND_HASTY,
                isQuiet ? random.nextDouble(QUIET_CALLS) : random.nextDouble(0.1, 4),
                random);
        StepMix faults = StepMix.of(
                hasSdk ? FAULTS_BESIDE_SDK : FAULTS_AND_DAMAGE,
                isQuiet || random.nextInt(6) == 0 ? 0 : random.nextDouble(0.02, 0.5),
                random);
        CallCrowd crowd = CallCrowd.of(random);
        Draw draw = new Draw(random, 0, 1 + random.nextInt(PROMPTS));
        List<TimedStep> steps = new ArrayList<>();
        long wave = 500 + draw.millis(8000);
        long pause = random.nextBoolean() ? 0 : 4000 + random.nextLong(14_000);
        double both = calls.perSecond + faults.perSecond;
        for (double at = 0; at < millis; at += 1000 * -Math.log(1 - random.nextDouble()) / both) {
            StepMix next = random.nextDouble() * both < calls.perSecond ? calls : faults;
            // Calls come in waves: logs close between the waves.
            long when = (long) at + (long) at / wave * pause;
            steps.add(new TimedStep(when, next.step(draw)));
            if (crowd.comes(random)) {
                Draw ofOne = draw.ofOnePrompt();
                for (long then : crowd.millis(when, random)) {
                    boolean isFault = faults.perSecond > 0 && crowd.isFault(random);
                    steps.add(new TimedStep(then, (isFault ? faults : calls).step(ofOne)));
                }
            }
        }
        StepPatterns.add(draw, hasSdk, isQuiet, millis, steps);
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

    /**
     * Draws the parameters of steps.
     *
     * @param prompts the number of prompts that steps may be about, from the first prompt on
     */
    record Draw(SplittableRandom random, int firstPrompt, int prompts) {
        Draw ofOnePrompt() {
            return new Draw(random, prompt(), 1);
        }

        int plane() {
            return random.nextInt(PLANES);
        }

        int prompt() {
            return firstPrompt + random.nextInt(prompts);
        }

        int block() {
            return random.nextInt(BLOCKS);
        }

        int content() {
            return random.nextInt(CONTENTS);
        }

        /** A time in milliseconds. Short times are more frequent than long ones. */
        long millis(long most) {
            return (long) (most * Math.pow(random.nextDouble(), 2)) + 1;
        }

        long deadline() {
            return DEADLINES.get(random.nextInt(DEADLINES.size()));
        }

        /** The pause of a reader or writer in milliseconds, mostly 0. */
        long pause() {
            return random.nextInt(4) == 0 ? millis(LONGEST_PAUSE) : 0;
        }

        /** The number of blocks after which connections break, mostly 0 for never. */
        int breakAfter() {
            return random.nextInt(4) == 0 ? 1 + block() : 0;
        }

        String caller() {
            return CALLERS.get(random.nextInt(CALLERS.size()));
        }

        /** The beginning of the name of a file in a partition. */
        String file() {
            return FILES.get(random.nextInt(FILES.size()));
        }

        /** A step that matters most right after another event. */
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
