package dev.kvstore.control.rest;

import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.Change;
import dev.kvstore.admin.change.ChangeSource;
import dev.kvstore.admin.waiting.WaitingCalls;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Wakes calls that wait for an account when any replica has changed the account. */
@Singleton
final class WakeUps {
    private final ChangeSource source;
    private final WaitingCalls calls;

    WakeUps(ChangeSource source, WaitingCalls calls) {
        this.source = source;
        this.calls = calls;
    }

    void start(@Observes StartupEvent started) {
        source.onChange(this::hear);
    }

    private void hear(List<Change> news, long last, boolean reset) {
        Set<String> names =
                news.stream().flatMap(change -> change.resourceNames().stream()).collect(Collectors.toSet());
        if (reset || names.contains(Affected.ALL)) {
            calls.wakeAll();
        } else if (!names.isEmpty()) {
            calls.wake(names);
        }
    }
}
