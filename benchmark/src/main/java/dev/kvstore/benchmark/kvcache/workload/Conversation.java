package dev.kvstore.benchmark.kvcache.workload;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.SystemPrompt;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A conversation: its turns are counted by the thread that makes requests and read by all. */
public final class Conversation {
    private final String id;
    private final AtomicInteger turns = new AtomicInteger();
    private volatile boolean pushedOut;
    private long tokens;
    private @Nullable SystemPrompt firstPrompt;

    /** @param id that no other conversation of the run has */
    public Conversation(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    int turns() {
        return turns.get();
    }

    /** Begins the next turn; its number. For the thread that makes requests, as the next three. */
    public int begin() {
        return turns.incrementAndGet();
    }

    /** Prompts and answers so far. */
    long tokens() {
        return tokens;
    }

    /** The prompt of its first turn. */
    @Nullable
    SystemPrompt firstPrompt() {
        return firstPrompt;
    }

    /** Adds a turn. */
    void said(int turn, long more, @Nullable SystemPrompt prompt) {
        tokens += more;
        if (turn == 1) {
            firstPrompt = prompt;
        }
    }

    void pushOut() {
        pushedOut = true;
    }

    boolean isPushedOut() {
        return pushedOut;
    }

    /** The key of a turn. */
    public String key(int turn) {
        return id + "_turn_" + turn;
    }

    /** The keys of turns 1 to {@code last}, except turn {@code but}. */
    List<String> keys(int last, int but) {
        return IntStream.rangeClosed(1, last)
                .filter(turn -> turn != but)
                .mapToObj(this::key)
                .toList();
    }
}
