package dev.kvstore.benchmark.kvcache.workload;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The conversations that go on; beyond a number of them the one idle longest is pushed out. For one thread. */
final class Conversations {
    private final int most;
    private final Map<String, Conversation> byRecency = new LinkedHashMap<>(16, 0.75f, true);
    private long begun;

    Conversations(int most) {
        this.most = most;
    }

    Conversation start(User user) {
        if (byRecency.size() >= most) {
            Conversation oldest = byRecency.values().iterator().next();
            oldest.pushOut();
            byRecency.remove(oldest.id());
        }
        Conversation started = new Conversation("conv_" + user.name() + "_" + begun++);
        byRecency.put(started.id(), started);
        return started;
    }

    /** Begins a turn; its number, or null if the conversation was pushed out. */
    @Nullable
    Integer turn(Conversation conversation) {
        return byRecency.get(conversation.id()) == null ? null : conversation.begin();
    }
}
