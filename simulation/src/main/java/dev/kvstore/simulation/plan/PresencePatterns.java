package dev.kvstore.simulation.plan;

import static dev.kvstore.simulation.plan.StepPatterns.at;

import dev.kvstore.simulation.step.HistoryStep;
import dev.kvstore.simulation.step.kind.InjectedFault;
import dev.kvstore.simulation.storage.BlobDamage;
import dev.kvstore.simulation.storage.StorageMood;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Steps that test logs, snapshots and listings: something fails at one moment in the life of a log. Each further write
 * of its data plane, and each question of others, might mend the result, so there are few such steps; the last look at
 * everything, or a data plane that was started again, finds the result. Beats of a data plane that was not started
 * again come at multiples of 5 s.
 */
public final class PresencePatterns {
    private static final long SECOND = 1000;
    private static final long BEAT = 5 * SECOND;
    private static final int MOST_FILES = 30;

    static final List<StepPatterns.StepPattern> ALL = List.of(
            PresencePatterns::closingWithoutAnswer,
            PresencePatterns::writtenAfterDeath,
            PresencePatterns::lateBlocks,
            PresencePatterns::closingBesideWrite,
            PresencePatterns::listingInVain,
            PresencePatterns::merged,
            PresencePatterns::mergedTwice,
            PresencePatterns::readBesideMerge,
            PresencePatterns::readBesideListing,
            PresencePatterns::spoilt,
            PresencePatterns::undescribed,
            PresencePatterns::returned,
            PresencePatterns::returnedUnheard);

    private PresencePatterns() {}

    /** The next beat of data planes that were not started again; sometimes another time. */
    private static long beat(Plan.Draw draw, long at) {
        SplittableRandom random = draw.random();
        return (at / BEAT + 1) * BEAT + (random.nextInt(4) == 0 ? random.nextLong(BEAT) : 0);
    }

    /** A time shortly before a beat, which adds the blocks that are written at that time to the log. */
    private static long before(Plan.Draw draw, long beat) {
        return beat - 300 - draw.random().nextLong(BEAT - 600);
    }

    private static int otherThan(Plan.Draw draw, int plane) {
        return (plane + 1 + draw.random().nextInt(Plan.PLANES - 1)) % Plan.PLANES;
    }

    private static int third(int one, int other) {
        return Plan.PLANES * (Plan.PLANES - 1) / 2 - one - other;
    }

    /** The prompt that is so many places after another one. */
    private static int next(int prompt, int further) {
        return (prompt + further) % Plan.PROMPTS;
    }

    private static HistoryStep.WritePrompt first(Plan.Draw draw, int plane, int prompt) {
        return new HistoryStep.WritePrompt(plane, prompt, 1, draw.content());
    }

    private static StorageMood refusing(double part, String operation) {
        return new StorageMood(part, 0, 1, operation);
    }

    private static StorageMood slow(int times) {
        return new StorageMood(0, 0, times, "");
    }

    private static void ask(
            Plan.Draw draw, int plane, int prompt, long from, long to, long every, List<Plan.TimedStep> steps) {
        for (long at = from; at < to; at += every / 2 + draw.random().nextLong(every)) {
            at(steps, at, new HistoryStep.LookUp(plane, prompt));
        }
    }

    /**
     * The answers to the puts that close a log are lost; others see the log closed, and its data plane stores more
     * blocks.
     */
    private static void closingWithoutAnswer(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int prompt = draw.prompt();
        long fails = at + 8 * SECOND + random.nextLong(2 * SECOND);
        long well = fails + 10 * SECOND + random.nextLong(14 * SECOND);
        at(steps, at, StepPatterns.write(draw, plane, prompt));
        at(steps, fails, new HistoryStep.Mood(plane, new StorageMood(0, 1, 1, ""), well - fails));
        at(steps, well + draw.millis(4 * SECOND), StepPatterns.write(draw, plane, next(prompt, 1)));
        int reader = otherThan(draw, plane);
        ask(draw, reader, prompt, at, well + 40 * SECOND, 4 * SECOND, steps);
        at(steps, well + 40 * SECOND, new HistoryStep.LookUp(reader, next(prompt, 1)));
    }

    /**
     * Others take a data plane for dead, list its blocks and delete its log; the data plane stores a block before it
     * notices.
     */
    private static void writtenAfterDeath(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int prompt = draw.prompt();
        long fails = at + 200 + random.nextLong(SECOND);
        long well = fails + 34 * SECOND + random.nextLong(16 * SECOND);
        at(steps, at, StepPatterns.write(draw, plane, prompt));
        at(steps, fails, new HistoryStep.Mood(plane, refusing(1, "putIfMatch"), well - fails));
        int reader = otherThan(draw, plane);
        ask(draw, reader, prompt, at + SECOND, well, 4 * SECOND, steps);
        at(steps, well + 40 * SECOND, new HistoryStep.LookUp(reader, next(prompt, 1)));
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            at(steps, well + random.nextLong(4 * SECOND), StepPatterns.write(draw, plane, next(prompt, i)));
        }
    }

    /** Blocks become durable while a data plane stops, or after it wrote its last log; some writes are tried again. */
    private static void lateBlocks(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int prompt = draw.prompt();
        int slow = 1 + random.nextInt(40);
        long end = at + 2 * SECOND + random.nextLong(8 * SECOND);
        double refused = random.nextBoolean() ? 0 : 0.5;
        at(steps, at, StepPatterns.write(draw, plane, prompt));
        at(
                steps,
                end - SECOND,
                new HistoryStep.Mood(plane, new StorageMood(refused, 0, slow, "putIfAbsent"), 5 * SECOND));
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            HistoryStep.WritePrompt write = first(draw, plane, next(prompt, i));
            at(steps, end - random.nextLong(50 + 30L * slow), write);
            for (int j = 0; j < 5; j++) {
                at(steps, end + random.nextLong(2 * SECOND), write);
            }
        }
        at(steps, end, new HistoryStep.Stop(plane, draw.millis(20 * SECOND)));
    }

    /** A log that has been idle for long is closed while a block is stored. */
    private static void closingBesideWrite(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int prompt = draw.prompt();
        long logged = beat(draw, at);
        long closed = logged + 2 * BEAT;
        int slow = 20 + random.nextInt(180);
        at(steps, before(draw, logged), StepPatterns.write(draw, plane, prompt));
        at(steps, closed - 4 * SECOND, new HistoryStep.Mood(plane, slow(slow), 8 * SECOND));
        at(steps, closed - 1 - random.nextLong(20L * slow), first(draw, plane, next(prompt, 1)));
        at(steps, closed + 45 * SECOND, new HistoryStep.LookUp(otherThan(draw, plane), next(prompt, 1)));
    }

    /**
     * A data plane dies with a block that no log has, and the data plane that lists the partition cannot store the
     * snapshot.
     */
    private static void listingInVain(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int prompt = draw.prompt();
        int lister = otherThan(draw, plane);
        long end = at + 3 * SECOND;
        String operation = random.nextBoolean() ? "putIfAbsent" : "putIfMatch";
        at(steps, at, StepPatterns.write(draw, plane, prompt));
        at(steps, end - 60 - draw.millis(SECOND), StepPatterns.write(draw, plane, next(prompt, 1)));
        at(steps, end, new HistoryStep.Kill(plane, 60 * SECOND + random.nextLong(60 * SECOND)));
        at(
                steps,
                at + 15 * SECOND,
                new HistoryStep.Mood(lister, refusing(1, operation), 15 * SECOND + random.nextLong(30 * SECOND)));
        ask(draw, lister, prompt, at, at + 50 * SECOND, 4 * SECOND, steps);
    }

    /**
     * Closed logs are merged, or the merge fails, and a data plane that was started again reads the files that are
     * left.
     */
    private static void merged(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int other = otherThan(draw, plane);
        int prompt = draw.prompt();
        long begin = beat(draw, at);
        long merge = begin + 4 * BEAT;
        at(steps, before(draw, begin), StepPatterns.write(draw, other, prompt));
        at(steps, before(draw, merge - 2 * BEAT), StepPatterns.write(draw, plane, next(prompt, 1)));
        at(
                steps,
                merge - 300 - random.nextLong(4 * SECOND),
                new HistoryStep.RepeatLog(random.nextInt(MOST_FILES), 14 + random.nextInt(6)));
        if (random.nextInt(3) == 0) {
            at(
                    steps,
                    merge - 200,
                    new HistoryStep.Mood(plane, refusing(1, "putIfAbsent"), SECOND + draw.millis(30 * SECOND)));
        }
        if (random.nextInt(4) == 0) {
            at(
                    steps,
                    merge - 200,
                    new HistoryStep.Ambush("presence/", new HistoryStep.Kill(plane, draw.millis(10 * SECOND))));
        }
        long again = merge + SECOND + random.nextLong(8 * SECOND);
        int asked = random.nextBoolean() ? other : third(plane, other);
        at(steps, again, new HistoryStep.Kill(asked, draw.millis(4 * SECOND)));
        ask(draw, asked, prompt, again + 25 * SECOND, again + 40 * SECOND, 5 * SECOND, steps);
    }

    /**
     * A data plane merges logs so slowly that meanwhile another log is closed, or another data plane even merges it.
     */
    private static void mergedTwice(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int other = otherThan(draw, plane);
        int faster = third(plane, other);
        int prompt = draw.prompt();
        long begin = beat(draw, at);
        long merge = begin + 5 * BEAT;
        int slow = 50 + random.nextInt(90);
        at(steps, before(draw, begin), StepPatterns.write(draw, other, prompt));
        at(steps, before(draw, merge - 2 * BEAT), StepPatterns.write(draw, plane, next(prompt, 1)));
        if (random.nextInt(3) > 0) {
            at(steps, before(draw, merge - BEAT), StepPatterns.write(draw, faster, next(prompt, 2)));
        }
        at(
                steps,
                merge - 2 * SECOND - random.nextLong(2 * SECOND),
                new HistoryStep.RepeatLog(random.nextInt(MOST_FILES), 14 + random.nextInt(6)));
        // The data plane's knowledge is so old then that it reads the logs, while storage is still quick.
        at(steps, merge - 1500, new HistoryStep.LookUp(plane, prompt));
        at(steps, merge - 300, new HistoryStep.Mood(plane, slow(slow), 25 * SECOND));
        long late = merge + 15L * slow + random.nextLong(3 * SECOND);
        at(steps, late, StepPatterns.write(draw, other, next(prompt, 3)));
        if (random.nextInt(3) > 0) {
            at(steps, late + 150 + random.nextLong(500), new HistoryStep.Stop(other, draw.millis(20 * SECOND)));
        }
    }

    /** Logs are merged while data planes that were just started read logs and snapshot. */
    private static void readBesideMerge(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int other = otherThan(draw, plane);
        int prompt = draw.prompt();
        long begin = beat(draw, at);
        long merge = begin + 8 * BEAT;
        at(steps, before(draw, begin), first(draw, other, prompt));
        at(steps, before(draw, begin), first(draw, third(plane, other), next(prompt, 1)));
        at(steps, before(draw, merge - 2 * BEAT), first(draw, plane, next(prompt, 2)));
        at(
                steps,
                merge - 8 * SECOND - draw.millis(8 * SECOND),
                new HistoryStep.RepeatLog(random.nextInt(MOST_FILES), 14 + random.nextInt(6)));
        for (int reader : List.of(other, third(plane, other))) {
            at(steps, merge - 7 * SECOND, new HistoryStep.Kill(reader, 100 + random.nextLong(SECOND)));
            at(steps, merge - SECOND, new HistoryStep.Mood(reader, slow(2 + random.nextInt(14)), 3 * SECOND));
            at(
                    steps,
                    merge - SECOND,
                    new HistoryStep.Ambush("presence/parts/", new HistoryStep.LookUp(reader, prompt)));
            for (int i = 0; i < 6; i++) {
                HistoryStep lookUp = new HistoryStep.LookUp(reader, next(prompt, i % 2));
                at(steps, merge + 500 + random.nextLong(8 * SECOND), lookUp);
            }
        }
    }

    /**
     * Blocks are written while a data plane lists the partition slowly; it cannot delete the logs that the listing
     * replaces.
     */
    private static void readBesideListing(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int other = otherThan(draw, plane);
        int writer = third(plane, other);
        int prompt = draw.prompt();
        long begin = beat(draw, at);
        long lost = begin + 20 * SECOND;
        StorageMood mood = new StorageMood(1, 0, 40 + random.nextInt(120), "deleteIfMatch");
        at(steps, before(draw, begin), StepPatterns.write(draw, other, prompt));
        at(steps, lost - 13 * SECOND, new HistoryStep.LookUp(plane, prompt));
        at(steps, lost - SECOND, first(draw, writer, next(prompt, 1)));
        at(steps, lost, new HistoryStep.Mood(plane, mood, 45 * SECOND));
        at(steps, lost, new HistoryStep.LosePresence());
        for (int i = 0; i < 30; i++) {
            int written = next(prompt, 2 + i % 8);
            at(
                    steps,
                    lost + SECOND + i * SECOND + random.nextLong(SECOND),
                    new HistoryStep.WritePrompt(writer, written, 1 + i / 10, draw.content()));
        }
        ask(draw, plane, prompt, lost + 1, lost + 50 * SECOND, SECOND, steps);
    }

    /** Files of presence are damaged, and a data plane that was started again reads them. */
    private static void spoilt(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int reader = otherThan(draw, plane);
        int prompt = draw.prompt();
        int writes = 1 + random.nextInt(3);
        for (int i = 0; i < writes; i++) {
            HistoryStep.WritePrompt write =
                    new HistoryStep.WritePrompt(plane, next(prompt, i), Plan.BLOCKS, draw.content());
            at(steps, at + random.nextLong(SECOND), write);
        }
        long again = at + 12 * SECOND + random.nextLong(12 * SECOND);
        at(steps, again, new HistoryStep.Kill(reader, draw.millis(3 * SECOND)));
        boolean isFlipped = random.nextBoolean();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            BlobDamage damage = isFlipped ? BlobDamage.FLIPPED : FaultDraws.one(random, BlobDamage.values());
            at(
                    steps,
                    at + 15 * SECOND + random.nextLong(8 * SECOND),
                    new HistoryStep.Inject(new InjectedFault.DamagePresence(random.nextInt(MOST_FILES), damage)));
        }
        for (int i = 0; i < writes; i++) {
            ask(draw, reader, next(prompt, i), at + 25 * SECOND, at + 45 * SECOND, 6 * SECOND, steps);
        }
    }

    /**
     * The descriptor is gone when a data plane is started, and storage fails the data plane when it looks for the
     * descriptor.
     */
    private static void undescribed(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int prompt = draw.prompt();
        long fails = at + 3 * SECOND;
        long lasts = SECOND + draw.millis(8 * SECOND);
        String operation = List.of("get", "get", "putIfAbsent", "").get(random.nextInt(4));
        at(steps, at, StepPatterns.write(draw, otherThan(draw, plane), prompt));
        at(steps, at + SECOND, new HistoryStep.LoseDescriptor());
        at(steps, at + SECOND + 1, new HistoryStep.Kill(plane, 100 + random.nextLong(SECOND)));
        at(steps, fails, new HistoryStep.Mood(plane, refusing(random.nextDouble(0.3, 1), operation), lasts));
        for (int i = 0; i < 6; i++) {
            long next = fails + 100 + random.nextLong(lasts + 4 * SECOND);
            at(steps, next, StepPatterns.write(draw, plane, next(prompt, i)));
        }
    }

    /**
     * A block is lost, another data plane lists the partition without it, the block comes back, and its first writer
     * writes it again: the writer's own log, which has the block, is no proof any more.
     */
    private static void returned(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int lister = otherThan(draw, plane);
        int prompt = draw.prompt();
        int block = draw.block();
        HistoryStep.WritePrompt write = new HistoryStep.WritePrompt(plane, prompt, block + 1, draw.content());
        // The log is closed by then.
        long lost = beat(draw, at) + 3 * BEAT + random.nextLong(4 * SECOND);
        long back = lost + 2 * SECOND + random.nextLong(12 * SECOND);
        at(steps, at, write);
        at(steps, lost, new HistoryStep.Lose(prompt, block));
        at(steps, lost, new HistoryStep.LosePresence());
        ask(draw, lister, prompt, lost + 1, back, 3 * SECOND, steps);
        at(steps, back, new HistoryStep.BringBack(prompt, block));
        at(steps, back + random.nextLong(4 * SECOND), write);
        ask(
                draw,
                random.nextBoolean() ? lister : third(plane, lister),
                prompt,
                back,
                back + 50 * SECOND,
                SECOND,
                steps);
    }

    /**
     * A data plane saw in storage that a block is gone. The block comes back and is written again, and only files tell
     * that data plane.
     */
    private static void returnedUnheard(Plan.Draw draw, long at, List<Plan.TimedStep> steps) {
        SplittableRandom random = draw.random();
        int plane = draw.plane();
        int reader = otherThan(draw, plane);
        int prompt = draw.prompt();
        int block = draw.block();
        HistoryStep.WritePrompt write = new HistoryStep.WritePrompt(plane, prompt, block + 1, draw.content());
        long lost = at + 8 * SECOND + random.nextLong(8 * SECOND);
        long again = lost + SECOND + random.nextLong(10 * SECOND);
        at(steps, at, write);
        at(steps, lost - 2 * SECOND, new HistoryStep.LookUp(reader, prompt));
        at(steps, lost, new HistoryStep.Lose(prompt, block));
        at(steps, lost + 1 + random.nextLong(SECOND), new HistoryStep.ReadBlock(reader, prompt, block));
        at(steps, again - 1, new HistoryStep.BringBack(prompt, block));
        at(steps, lost, new HistoryStep.CutCable(Plan.NAMES.get(plane), reader, 60 * SECOND));
        at(steps, again, write);
        ask(draw, reader, prompt, again + 25 * SECOND, again + 60 * SECOND, 6 * SECOND, steps);
    }
}
