package dev.kvstore.control.warming;

import dev.kvstore.control.heat.BlockName;
import dev.kvstore.control.warming.block.BlockOutcomes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A model of warmings, as short as possible: all in memory, one step after the other. */
final class WarmingModel {
    /** At a time, of a warming with the budget that tests give it. */
    static final int MOST_CLAIMS = 2;

    /** Blocks that one process copies. */
    static final class ModelChunk {
        final List<BlockName> blocks;
        final List<Integer> outcomes = new ArrayList<>();

        /** The number of the last claim; 0 if there was none. No two claims have the same number. */
        long ticket;

        boolean claimed;

        ModelChunk(List<BlockName> blocks) {
            this.blocks = blocks;
        }

        ModelChunk copy() {
            ModelChunk copy = new ModelChunk(blocks);
            copy.outcomes.addAll(outcomes);
            copy.ticket = ticket;
            copy.claimed = claimed;
            return copy;
        }

        boolean done() {
            return outcomes.size() == blocks.size();
        }
    }

    /** The public view of a warming. */
    record ModelView(WarmingState state, @Nullable WarmingState pausedIn, long copied, long failed) {}

    /** A warming. */
    static final class Job {
        final String id;
        final boolean standing;
        final boolean used;
        WarmingState state = WarmingState.PLANNING;

        @Nullable
        WarmingState pausedIn;

        boolean due;
        int planned = -1;
        List<ModelChunk> chunks = new ArrayList<>();
        long copied;
        long failed;

        Job(String id, boolean standing, boolean used) {
            this.id = id;
            this.standing = standing;
            this.used = used;
        }

        Job copy() {
            Job copy = new Job(id, standing, used);
            copy.state = state;
            copy.pausedIn = pausedIn;
            copy.due = due;
            copy.planned = planned;
            chunks.forEach(chunk -> copy.chunks.add(chunk.copy()));
            copy.copied = copied;
            copy.failed = failed;
            return copy;
        }

        ModelView seen() {
            return new ModelView(state, pausedIn, copied, failed);
        }

        boolean isOver() {
            return state.isOver();
        }

        private WarmingState open() {
            return pausedIn == null ? state : pausedIn;
        }

        private boolean isInRound() {
            return open() == WarmingState.PLANNING || open() == WarmingState.RUNNING;
        }

        private void end(WarmingState end) {
            if (!isInRound()) {
                return;
            }
            due = false;
            if (!standing) {
                state = end;
                pausedIn = null;
            } else if (state == WarmingState.PAUSED) {
                pausedIn = WarmingState.WAITING;
            } else {
                state = WarmingState.WAITING;
            }
        }

        long claims() {
            return chunks.stream()
                    .filter(chunk -> chunk.claimed && !chunk.done())
                    .count();
        }

        /** The one that is claimed next. */
        Optional<ModelChunk> free() {
            return state == WarmingState.RUNNING && claims() < MOST_CLAIMS
                    ? chunks.stream()
                            .filter(chunk -> !chunk.claimed && !chunk.done())
                            .findFirst()
                    : Optional.empty();
        }
    }

    final List<Job> jobs = new ArrayList<>();

    /** In which period a block was told of last. */
    final Map<BlockName, Integer> told = new HashMap<>();

    /** Blocks that somebody has copied. */
    final Set<BlockName> there = new HashSet<>();

    int period;
    private long tickets;

    WarmingModel copy() {
        WarmingModel copy = new WarmingModel();
        jobs.forEach(job -> copy.jobs.add(job.copy()));
        copy.told.putAll(told);
        copy.there.addAll(there);
        copy.period = period;
        copy.tickets = tickets;
        return copy;
    }

    List<ModelView> seen() {
        return jobs.stream().map(Job::seen).toList();
    }

    void obey(int index, Command command) {
        Job job = jobs.get(index);
        if (job.isOver()) {
            return;
        }
        switch (command) {
            case PAUSE -> {
                if (job.state != WarmingState.PAUSED) {
                    job.pausedIn = job.state;
                    job.state = WarmingState.PAUSED;
                }
            }
            case RESUME -> {
                if (job.pausedIn != null) {
                    job.state = job.pausedIn;
                    job.pausedIn = null;
                }
            }
            case CANCEL -> {
                job.state = WarmingState.CANCELLED;
                job.pausedIn = null;
            }
        }
    }

    /** The warmings that are planned now. */
    List<Job> due() {
        return jobs.stream()
                .filter(job -> job.state == WarmingState.PLANNING || (job.state == WarmingState.WAITING && job.due))
                .toList();
    }

    /** The blocks of a round that is planned now. */
    Set<BlockName> round(Job job) {
        Set<BlockName> blocks = new HashSet<>();
        if (!job.used || job.planned < 0) {
            blocks.addAll(told.keySet());
            return blocks;
        }
        told.forEach((block, when) -> {
            if (when >= job.planned) {
                blocks.add(block);
            }
        });
        job.chunks.forEach(chunk -> {
            for (int i = 0; i < chunk.blocks.size(); i++) {
                if (i >= chunk.outcomes.size() || chunk.outcomes.get(i) == BlockOutcomes.FAILED) {
                    blocks.add(chunk.blocks.get(i));
                }
            }
        });
        return blocks;
    }

    void planned(Job job, List<ModelChunk> chunks) {
        job.chunks = chunks;
        job.planned = period;
        job.state = WarmingState.RUNNING;
        if (chunks.isEmpty()) {
            job.end(WarmingState.DONE);
        }
    }

    /** The one of which a chunk is claimed next. */
    Optional<Job> claimable() {
        return jobs.stream()
                .filter(job -> job.free().isPresent())
                .min(Comparator.<Job>comparingLong(Job::claims).thenComparing(job -> job.id));
    }

    /** @return the claim's ticket */
    long claim(Job job) {
        ModelChunk chunk = job.free().orElseThrow();
        chunk.ticket = ++tickets;
        chunk.claimed = true;
        return chunk.ticket;
    }

    /** A claim could not be carried out, of a warming that is as it was when it was claimed. */
    void fail(Job job) {
        job.end(WarmingState.FAILED);
    }

    /** @return whether the claim counts */
    boolean report(long ticket, List<Integer> outcomes) {
        for (Job job : jobs) {
            for (ModelChunk chunk : job.chunks) {
                if (chunk.ticket == ticket && !chunk.done()) {
                    chunk.outcomes.addAll(outcomes);
                    chunk.claimed = true;
                    outcomes.forEach(outcome -> {
                        job.copied += outcome == BlockOutcomes.COPIED ? 1 : 0;
                        job.failed += outcome == BlockOutcomes.FAILED ? 1 : 0;
                    });
                    if (job.open() == WarmingState.RUNNING
                            && job.chunks.stream().allMatch(ModelChunk::done)) {
                        job.end(job.failed > 0 ? WarmingState.PARTIAL : WarmingState.DONE);
                    }
                    return true;
                }
            }
        }
        return false;
    }

    /** So much time passes that all claims lapse, and all that wait are due. */
    void pass() {
        period++;
        for (Job job : jobs) {
            job.due = true;
            job.chunks.forEach(chunk -> chunk.claimed = false);
        }
    }
}
