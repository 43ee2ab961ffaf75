package dev.kvstore.dataplane.account.control;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The counters of the resolver, from the start of the process. Thread-safe. */
public final class ResolverCounters {
    /** How a question ended. */
    public enum QuestionOutcome {
        GRANTED,
        NOT_GRANTED,
        UNKNOWN_KEY,
        /** No control plane answered, or no answer could be used. */
        FAILED;

        /** The outcome as a meter's tag. */
        public String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<QuestionOutcome, LongAdder> resolves =
            Collections.unmodifiableMap(new EnumMap<>(Arrays.stream(QuestionOutcome.values())
                    .collect(Collectors.toMap(Function.identity(), _ -> new LongAdder()))));
    private final LongAdder changes = new LongAdder();

    void resolved(QuestionOutcome outcome) {
        count(outcome).increment();
    }

    void changed(int keysAndResources) {
        changes.add(keysAndResources);
    }

    /** Number of questions with this outcome. */
    public long resolves(QuestionOutcome outcome) {
        return count(outcome).sum();
    }

    /** Keys and resources of which a change was heard. */
    public long changes() {
        return changes.sum();
    }

    private LongAdder count(QuestionOutcome outcome) {
        LongAdder count = resolves.get(outcome);
        if (count == null) {
            throw new IllegalStateException("every outcome is counted");
        }
        return count;
    }
}
