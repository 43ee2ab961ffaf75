package dev.kvstore.benchmark.kvcache.workload;

import java.util.List;
import java.util.stream.IntStream;

/** A conversation: its turns are counted by one thread and read by all. */
public final class Conversation {
    private final String id;
    private volatile int turns;
    private volatile boolean pushedOut;

    Conversation(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    int turns() {
        return turns;
    }

    /** Begins the next turn; its number. For the thread that makes requests. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // one thread writes it
    int begin() {
        turns = turns + 1;
        return turns;
    }

    void pushOut() {
        pushedOut = true;
    }

    boolean isPushedOut() {
        return pushedOut;
    }

    String key(int turn) {
        return id + "_turn_" + turn;
    }

    /** Of turns 1 to {@code last} but one. */
    List<String> keys(int last, int but) {
        return IntStream.rangeClosed(1, last)
                .filter(turn -> turn != but)
                .mapToObj(this::key)
                .toList();
    }

    List<String> keysNow(int but) {
        return pushedOut ? List.of() : keys(turns, but);
    }
}
