package dev.kvstore.control.rest;

import dev.kvstore.admin.repeat.KeptAnswers;
import dev.kvstore.control.loop.Repeating;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Forgets answers that were kept for their time, for as long as the process runs. */
@Singleton
final class AnswerKeeper {
    private static final Duration PERIOD = Duration.ofMinutes(10);

    private final KeptAnswers answers;
    private @Nullable Repeating loop;

    AnswerKeeper(KeptAnswers answers) {
        this.answers = answers;
    }

    void start(@Observes StartupEvent started) {
        loop = Repeating.start("kept-answers", PERIOD, "old answers are forgotten later", this::round);
    }

    void stop(@Observes ShutdownEvent stopping) {
        Repeating current = loop;
        if (current != null) {
            current.close();
        }
    }

    private void round() {
        while (answers.forget()) {
            // Each step forgets a bounded number of answers.
        }
    }
}
