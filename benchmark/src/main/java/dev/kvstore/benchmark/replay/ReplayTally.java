package dev.kvstore.benchmark.replay;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** The outcomes of the requests of one replay. Thread-safe. */
final class ReplayTally {
    /** A flaw, which must not happen. */
    enum ReplayFlaw {
        /** A block that was read has other bytes than were written, or the service holds other ones or damaged ones. */
        WRONG,
        /** A lookup counted a block that could not be read. */
        MISSING,
        /** A lookup did not count a block that had been acknowledged. */
        LOST,
        /** An operation ended with an error. */
        FAILED;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int NAMED = 5;

    final Latencies late = new Latencies();
    final Latencies lookup = new Latencies();
    final Latencies firstBlock = new Latencies();
    final Latencies restore = new Latencies();
    final LongAdder requests = new LongAdder();
    final LongAdder blocks = new LongAdder();
    final LongAdder cachedBlocks = new LongAdder();
    final LongAdder readBlocks = new LongAdder();
    final LongAdder readBytes = new LongAdder();
    final LongAdder writtenBlocks = new LongAdder();
    final LongAdder presentBlocks = new LongAdder();
    private final Map<ReplayFlaw, LongAdder> flaws = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> named = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    /** Nothing that fails from now on counts: it was given up. */
    void stop() {
        stopped = true;
    }

    /** Counts something that must not be, once for each block or operation; the first few are named. */
    void flaw(ReplayFlaw flaw, String what) {
        if (stopped && flaw == ReplayFlaw.FAILED) {
            return;
        }
        LongAdder count = flaws.computeIfAbsent(flaw, _ -> new LongAdder());
        count.increment();
        if (count.sum() <= NAMED) {
            named.add(flaw.word() + ": " + what);
        }
    }

    long count(ReplayFlaw flaw) {
        LongAdder count = flaws.get(flaw);
        return count == null ? 0 : count.sum();
    }

    /** The figures of all requests so far. */
    ServiceFigures figures(double seconds, boolean interrupted) {
        return new ServiceFigures(
                requests.sum(),
                blocks.sum(),
                cachedBlocks.sum(),
                readBlocks.sum(),
                readBytes.sum(),
                writtenBlocks.sum(),
                presentBlocks.sum(),
                seconds,
                late.percentiles(),
                lookup.percentiles(),
                firstBlock.percentiles(),
                restore.percentiles(),
                count(ReplayFlaw.WRONG),
                count(ReplayFlaw.MISSING),
                count(ReplayFlaw.LOST),
                count(ReplayFlaw.FAILED),
                named.stream().sorted().toList(),
                interrupted);
    }
}
