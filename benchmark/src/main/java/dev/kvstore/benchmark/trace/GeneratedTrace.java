package dev.kvstore.benchmark.trace;

import static dev.kvstore.benchmark.trace.TraceRequest.BLOCK_TOKENS;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Requests with the statistics of the shared trace ({@link ConversationModel}), where that is absent: conversations
 * behind one shared block, whose requests repeat and extend each other.
 *
 * @param seed equal seeds, equal requests
 */
public record GeneratedTrace(long seed) implements Trace {
    /** A request before its blocks are numbered in the order of time. */
    @SuppressWarnings("ArrayRecordComponent")
    private record UnnumberedRequest(long millis, int input, int output, long[] blocks) {}

    @Override
    public String source() {
        return "generated trace (seed " + seed + "; " + TraceOptions.SHARED + " is not there)";
    }

    @Override
    public Requests open() {
        List<UnnumberedRequest> drafts = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(seed);
        for (int number = 1; number <= ConversationModel.CONVERSATIONS; number++) {
            new TraceConversation(number, random.split()).addTo(drafts);
        }
        drafts.sort(Comparator.comparingLong(UnnumberedRequest::millis));
        return new TraceNumbering(drafts.iterator());
    }

    /** For one thread. */
    private static final class TraceConversation {
        private final SplittableRandom random;

        /** The shared block, then blocks of its own by the conversation's number and a count. */
        private long[] blocks = {0};

        private long next;
        private double input;
        private double output;

        TraceConversation(int number, SplittableRandom random) {
            this.random = random;
            this.next = (long) number << Integer.SIZE;
        }

        void addTo(List<UnnumberedRequest> drafts) {
            double millis = random.nextDouble() * ConversationModel.SPAN_MILLIS;
            boolean continued = random.nextDouble() < ConversationModel.continued(1);
            input = (continued ? ConversationModel.CONTINUED_INPUT : ConversationModel.SINGLE_INPUT).sample(random);
            add(drafts, millis, 1);
            for (int turn = 2; continued; turn++) {
                millis += ConversationModel.GAP_SECONDS.sample(random) * 1e3;
                if (millis > ConversationModel.SPAN_MILLIS) {
                    return;
                }
                int kept = proceed();
                add(drafts, millis, kept);
                continued = random.nextDouble() < ConversationModel.continued(turn);
            }
        }

        /** The next prompt's length; how many blocks of the one before it repeats. */
        private int proceed() {
            int kept;
            if (random.nextDouble() < ConversationModel.CUT) {
                kept = Math.max(2, (int) (blocks.length * ConversationModel.CUT_KEEPS.sample(random)));
                input = Math.max(input + ConversationModel.CUT_DIFFERS.sample(random), kept * BLOCK_TOKENS + 1.0);
            } else {
                kept = Math.max(1, (int) input / BLOCK_TOKENS);
                input += output + ConversationModel.ADDED.sample(random);
            }
            return kept;
        }

        private void add(List<UnnumberedRequest> drafts, double millis, int kept) {
            input = Math.min(input, ConversationModel.MOST_INPUT);
            output = ConversationModel.OUTPUT.sample(random);
            int before = Math.min(kept, blocks.length);
            blocks = Arrays.copyOf(blocks, ((int) input + BLOCK_TOKENS - 1) / BLOCK_TOKENS);
            for (int i = before; i < blocks.length; i++) {
                blocks[i] = next++;
            }
            long step = (long) millis / ConversationModel.STEP_MILLIS * ConversationModel.STEP_MILLIS;
            drafts.add(new UnnumberedRequest(step, (int) input, (int) output, blocks));
        }
    }

    /** Numbers blocks as they come, as Mooncake does. */
    private static final class TraceNumbering implements Requests {
        private final Iterator<UnnumberedRequest> drafts;
        private final Map<Long, Long> numbers = new HashMap<>();

        TraceNumbering(Iterator<UnnumberedRequest> drafts) {
            this.drafts = drafts;
        }

        @Override
        public @Nullable TraceRequest next() {
            if (!drafts.hasNext()) {
                return null;
            }
            UnnumberedRequest draft = drafts.next();
            long[] ids = new long[draft.blocks().length];
            for (int i = 0; i < ids.length; i++) {
                Long known = numbers.putIfAbsent(draft.blocks()[i], (long) numbers.size());
                ids[i] = known == null ? numbers.size() - 1L : known;
            }
            return new TraceRequest(draft.millis(), draft.input(), draft.output(), ids);
        }
    }
}
