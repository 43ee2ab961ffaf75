package dev.kvstore.control.rest;

import dev.kvstore.accounts.key.EndedKeys;
import dev.kvstore.admin.repeat.KeptAnswers;
import dev.kvstore.control.loop.Repeating;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Forgets answers and ended keys that were kept for their time, for as long as the process runs. */
@Singleton
final class Forgetting {
    private static final Duration PERIOD = Duration.ofMinutes(10);

    private final KeptAnswers answers;
    private final EndedKeys keys;
    private @Nullable Repeating loop;

    Forgetting(KeptAnswers answers, EndedKeys keys) {
        this.answers = answers;
        this.keys = keys;
    }

    void start(@Observes StartupEvent started) {
        loop = Repeating.start("forgetting", PERIOD, "old answers and ended keys are forgotten later", this::round);
    }

    void stop(@Observes ShutdownEvent stopping) {
        Repeating current = loop;
        if (current != null) {
            current.close();
        }
    }

    private void round() {
        while (answers.forget() || keys.forget()) {
            // Each step forgets a bounded number of them.
        }
    }
}
