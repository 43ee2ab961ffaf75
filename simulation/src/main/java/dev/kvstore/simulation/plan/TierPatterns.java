package dev.kvstore.simulation.plan;

import static dev.kvstore.simulation.plan.StepPatterns.at;

import dev.kvstore.simulation.step.HistoryStep;
import dev.kvstore.simulation.step.kind.InjectedFault;
import dev.kvstore.simulation.storage.StorageMood;
import dev.kvstore.simulation.storage.StorageTrouble;
import dev.kvstore.simulation.world.DiskTrouble;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Steps that belong together, like {@link StepPatterns}, about blocks in memory and on disks, and about answers of
 * storage that come late, twice or not at all.
 */
public final class TierPatterns {
    private static final long SECOND = 1000;

    /** After this many milliseconds others must know a new block, and no process may serve old bytes. */
    private static final long VISIBLE = 31 * SECOND;

    /** After this many milliseconds a process that was told to end is there again, and has the blocks of its disk. */
    private static final long BACK = 6 * SECOND;

    /** The patterns of all histories, also with clients of the SDK. */
    static final List<StepPatterns.StepPattern> ALL = List.of(
            TierPatterns::lateDenial, TierPatterns::slowLoad, TierPatterns::lostAnswer, TierPatterns::takenForDead);

    /** The patterns of histories without clients of the SDK: promises of the SDK excuse no damage. */
    static final List<StepPatterns.StepPattern> WITHOUT_SDK = List.of(
            TierPatterns::leavingReader, TierPatterns::keptDamage, TierPatterns::askedTwice, TierPatterns::onDisk);

    private TierPatterns() {}

    /**
     * A write of the first block of a prompt alone: a longer write may end at the first block, which may have another
     * length by then.
     */
    private static HistoryStep.WritePrompt write(Plan.Draw draw, int plane, int prompt) {
        return new HistoryStep.WritePrompt(plane, prompt, 1, draw.content());
    }

    private static HistoryStep.ReadBlock read(int plane, int prompt) {
        return new HistoryStep.ReadBlock(plane, prompt, 0);
    }

    private static int otherThan(Plan.Draw draw, int plane) {
        return (plane + 1 + draw.random().nextInt(Plan.PLANES - 1)) % Plan.PLANES;
    }

    /** A data plane asks storage for a block that was lost, and stores the block before it has the answer. */
    private static void lateDenial(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int prompt = draw.prompt();
        at(steps, at, write(draw, otherThan(draw, plane), prompt));
        // The data plane knows all logs, so that it denies blocks without a question, and its own log is open.
        long anew = at + 12 * SECOND + random.nextLong(20 * SECOND);
        int asked = draw.prompt();
        for (long next = at + SECOND; next < anew - SECOND; next += SECOND + random.nextLong(6 * SECOND)) {
            at(steps, next, new HistoryStep.LookUp(plane, asked));
        }
        at(steps, anew - 900, write(draw, plane, asked));
        at(steps, anew - 1 - random.nextLong(20), new HistoryStep.Lose(prompt, 0));
        for (int i = random.nextInt(3); i >= 0; i--) {
            HistoryStep ask = random.nextBoolean() ? new HistoryStep.LookUp(plane, prompt) : read(plane, prompt);
            at(steps, anew + random.nextLong(12), ask);
        }
        at(steps, anew + random.nextLong(12), write(draw, plane, prompt));
        at(steps, anew + 100 + draw.millis(4 * SECOND), new HistoryStep.LookUp(plane, prompt));
    }

    /** A block is on its way from storage for seconds, and is stored meanwhile, or stored anew. */
    private static void slowLoad(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int reader = draw.plane();
        int writer = otherThan(draw, reader);
        int prompt = draw.prompt();
        at(steps, at, write(draw, writer, prompt));
        // The logs of both data planes are open.
        long read = at + SECOND + random.nextLong(4 * SECOND);
        at(steps, read - 500, write(draw, reader, draw.prompt()));
        boolean wasThere = random.nextBoolean();
        at(steps, wasThere ? read + 12 + random.nextLong(30) : read - 20, new HistoryStep.Lose(prompt, 0));
        at(steps, read, read(reader, prompt));
        // Storage is slow while the answer begins its way: the calls before and after it are quick.
        StorageMood slow = new StorageMood(0, 0, 50 + random.nextInt(350), "");
        at(steps, read + 1 + random.nextLong(10), new HistoryStep.Mood(reader, slow, 1));
        long anew = read + 45 + random.nextLong(60);
        int content = draw.content();
        at(steps, anew, new HistoryStep.WritePrompt(writer, prompt, 1, content));
        if (random.nextBoolean()) {
            // The reader hears of the writer's block while it stores the block, too, and keeps neither.
            at(steps, anew + random.nextLong(120), new HistoryStep.WritePrompt(reader, prompt, 1, content));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            at(steps, anew + 60 + draw.millis(4 * SECOND), read(reader, prompt));
        }
        at(steps, anew + VISIBLE + draw.millis(9 * SECOND), read(reader, prompt));
    }

    /** A block that others have in memory, or know to be absent, is stored anew, and the answer to the put is lost. */
    private static void lostAnswer(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        int writer = draw.plane();
        StorageMood mood = new StorageMood(0, 1, 1, "putIfAbsent");
        storedAnew(draw, at, writer, new HistoryStep.Mood(writer, mood, 1 + draw.millis(SECOND)), steps);
    }

    /**
     * A block that others have in memory, or know to be absent, is stored anew, the answer is lost, and the client of
     * storage asks again.
     */
    private static void askedTwice(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        int writer = draw.plane();
        StorageTrouble trouble =
                draw.random().nextInt(3) == 0 ? StorageTrouble.ASKED_TWICE_TOO_OFTEN : StorageTrouble.ASKED_TWICE;
        HistoryStep fault =
                new HistoryStep.Inject(new InjectedFault.TroubleStorage(writer, trouble, 1, 1 + draw.millis(SECOND)));
        storedAnew(draw, at, writer, fault, steps);
    }

    private static void storedAnew(Plan.Draw draw, long at, int writer, HistoryStep fault, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int reader = otherThan(draw, writer);
        int prompt = draw.prompt();
        at(steps, at, write(draw, random.nextBoolean() ? writer : otherThan(draw, writer), prompt));
        long lost = at + SECOND + random.nextLong(4 * SECOND);
        // The writer's log is open, so that the put of the block is the only one.
        at(steps, lost - 300, write(draw, writer, draw.prompt()));
        boolean isInMemory = random.nextBoolean();
        at(steps, isInMemory ? lost - 200 : lost + 5, read(reader, prompt));
        at(steps, lost, new HistoryStep.Lose(prompt, 0));
        at(steps, lost + 60, fault);
        HistoryStep.WritePrompt anew = write(draw, writer, prompt);
        at(steps, lost + 61 + random.nextLong(30), anew);
        if (random.nextBoolean()) {
            at(steps, lost + 200 + draw.millis(5 * SECOND), anew);
        }
        for (int i = random.nextInt(3); i >= 0; i--) {
            long later = lost + VISIBLE + draw.millis(9 * SECOND);
            at(steps, later, new HistoryStep.LookUp(reader, prompt));
            at(steps, later + random.nextLong(20), read(reader, prompt));
        }
    }

    /**
     * A data plane cannot write its log for so long that another one takes it for dead, and clients write a block to
     * it. Nobody looks at the block until its announcement is forgotten, since a data plane that sees the block writes
     * it into a log.
     */
    private static void takenForDead(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int other = otherThan(draw, plane);
        int prompt = draw.prompt();
        at(steps, at, write(draw, plane, prompt));
        StorageMood mood = new StorageMood(1, 0, 1, "putIfMatch");
        long lasts = 66 * SECOND + random.nextLong(16 * SECOND);
        at(steps, at + 50 + draw.millis(4 * SECOND), new HistoryStep.Mood(plane, mood, lasts));
        long last = at + 28 * SECOND + random.nextLong(10 * SECOND);
        int late = draw.prompt();
        for (int i = random.nextInt(3); i >= 0; i--) {
            at(steps, last - draw.millis(3 * SECOND), write(draw, plane, late));
        }
        for (long next = at; next < at + lasts; next += 2 * SECOND + random.nextLong(3 * SECOND)) {
            at(steps, next, new HistoryStep.LookUp(other, next > last + VISIBLE ? late : prompt));
        }
    }

    /** Some readers wait for one load, and some of them leave; the block is stored anew later. */
    private static void leavingReader(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int reader = draw.plane();
        int writer = otherThan(draw, reader);
        int prompt = draw.prompt();
        at(steps, at, write(draw, writer, prompt));
        long read = at + SECOND + random.nextLong(2 * SECOND);
        for (int i = 1 + random.nextInt(4); i >= 0; i--) {
            HistoryStep call = read(reader, prompt);
            at(
                    steps,
                    read + random.nextLong(6),
                    random.nextBoolean()
                            ? call
                            : new HistoryStep.Hasty(call, 1 + random.nextLong(25), random.nextBoolean()));
        }
        long lost = read + SECOND + draw.millis(10 * SECOND);
        at(steps, lost, new HistoryStep.Lose(prompt, 0));
        at(steps, lost + 10, write(draw, random.nextBoolean() ? reader : writer, prompt));
    }

    /**
     * A block is damaged, and storage refuses to delete it when a data plane notices the damage; clients write it
     * later.
     */
    private static void keptDamage(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int prompt = draw.prompt();
        at(steps, at, write(draw, otherThan(draw, plane), prompt));
        long damaged = at + SECOND + random.nextLong(3 * SECOND);
        at(steps, damaged, new HistoryStep.FlipBit(prompt, 0, random.nextInt(800)));
        long read = damaged + 10 * SECOND + random.nextLong(4 * SECOND);
        long lasts = read - damaged + draw.millis(10 * SECOND);
        at(
                steps,
                damaged + 1,
                new HistoryStep.Inject(new InjectedFault.TroubleStorage(plane, StorageTrouble.HELD, 1, lasts)));
        at(steps, read, read(plane, prompt));
        for (int i = random.nextInt(3); i >= 0; i--) {
            at(steps, damaged + lasts + draw.millis(9 * SECOND), write(draw, plane, prompt));
        }
    }

    /** A data plane leaves its blocks to its disks, and starts again; then one of several things happens to them. */
    private static void onDisk(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int prompt = draw.prompt();
        for (int i = random.nextInt(4); i > 0; i--) {
            at(
                    steps,
                    at + random.nextLong(SECOND),
                    new HistoryStep.WritePrompt(plane, draw.prompt(), Plan.BLOCKS, draw.content()));
        }
        at(steps, at + SECOND, write(draw, plane, prompt));
        long stop = at + 2 * SECOND + draw.millis(6 * SECOND);
        at(steps, stop, new HistoryStep.Stop(plane, draw.millis(2 * SECOND)));
        long back = stop + BACK + draw.millis(4 * SECOND);
        switch (random.nextInt(3)) {
            case 0 -> flippedOnDisk(draw, back, plane, steps);
            case 1 -> oldOnDisk(draw, back, read(plane, prompt), steps);
            default -> slowDisk(draw, back, read(plane, prompt), steps);
        }
    }

    private static void flippedOnDisk(Plan.Draw draw, long at, int plane, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        for (int i = 3 + random.nextInt(12); i > 0; i--) {
            at(steps, at, new HistoryStep.Inject(new InjectedFault.FlipDisk(plane, random.nextInt(2))));
        }
        for (int prompt = 0; prompt < draw.prompts(); prompt++) {
            at(steps, at + 1 + draw.millis(3 * SECOND), new HistoryStep.ReadPrompt(plane, draw.firstPrompt() + prompt));
        }
    }

    /** A block that is on disk is stored anew, and the disk must forget the old bytes for ever. */
    private static void oldOnDisk(Plan.Draw draw, long at, HistoryStep.ReadBlock read, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int writer = random.nextBoolean() ? read.plane() : draw.plane();
        at(steps, at, new HistoryStep.Lose(read.prompt(), read.block()));
        at(steps, at + 1, write(draw, writer, read.prompt()));
        if (random.nextBoolean()) {
            at(steps, at + SECOND, read);
        }
        long end = at + 7 * SECOND + draw.millis(30 * SECOND);
        at(steps, end, new HistoryStep.Kill(read.plane(), draw.millis(3 * SECOND)));
        for (int i = random.nextInt(3); i >= 0; i--) {
            at(steps, end + BACK + draw.millis(5 * SECOND), read);
        }
    }

    /** Readers wait for a disk that is so slow that the data plane gives it up, and the first reader leaves. */
    private static void slowDisk(Plan.Draw draw, long at, HistoryStep.ReadBlock read, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        for (int disk = 0; disk < 2; disk++) {
            at(
                    steps,
                    at,
                    new HistoryStep.Inject(
                            new InjectedFault.TroubleDisk(read.plane(), disk, DiskTrouble.SLOW, 9 * SECOND)));
        }
        at(steps, at + 1, new HistoryStep.Hasty(read, 1 + draw.millis(SECOND), random.nextBoolean()));
        for (int i = random.nextInt(3); i >= 0; i--) {
            at(steps, at + 2 + draw.millis(5 * SECOND), read);
        }
    }
}
