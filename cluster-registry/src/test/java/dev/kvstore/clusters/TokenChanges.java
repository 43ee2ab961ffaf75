package dev.kvstore.clusters;

import dev.kvstore.clusters.token.JoinTokensChanged;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Keeps the changes of join tokens that this process was told of. Thread-safe. */
@Singleton
public final class TokenChanges {
    private final Queue<JoinTokensChanged> changes = new ConcurrentLinkedQueue<>();

    void hear(@Observes JoinTokensChanged change) {
        changes.add(change);
    }

    /** The changes since the last call, in order. */
    public Queue<JoinTokensChanged> taken() {
        Queue<JoinTokensChanged> taken = new ConcurrentLinkedQueue<>(changes);
        changes.clear();
        return taken;
    }
}
