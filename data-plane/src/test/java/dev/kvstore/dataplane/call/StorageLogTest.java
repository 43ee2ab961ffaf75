package dev.kvstore.dataplane.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class StorageLogTest {
    private final List<String> lines = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final StorageLog log = new StorageLog(() -> now, (level, line) -> lines.add(level + " " + line));

    @Test
    void theFirstFailureIsToldWithItsCause() {
        fail("demo", Kind.UNAVAILABLE);

        assertThat(lines).containsExactly("ERROR storage of demo: UNAVAILABLE: blob b: no answer");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void whatCallersSeeAsAnErrorIsOneInTheLog(Kind kind) {
        fail("demo", kind);

        assertThat(lines).singleElement().asString().startsWith(kind == Kind.THROTTLED ? "WARNING " : "ERROR ");
    }

    @Test
    void furtherFailuresAreCountedUntilTheSilenceIsOver() {
        fail("demo", Kind.UNAVAILABLE);
        fail("demo", Kind.UNAVAILABLE);
        now = now.plus(StorageLog.SILENCE).minusMillis(1);
        fail("demo", Kind.UNAVAILABLE);
        assertThat(lines).hasSize(1);

        now = now.plusMillis(1);
        fail("demo", Kind.UNAVAILABLE);

        assertThat(lines)
                .hasSize(2)
                .last()
                .asString()
                .endsWith("no answer (and 2 more such failures since 2026-01-01T00:00:00Z)");
    }

    @Test
    void aFailureAfterTheSilenceIsToldWithoutACountWhenThereWasNone() {
        fail("demo", Kind.FULL);
        now = now.plus(StorageLog.SILENCE);
        fail("demo", Kind.FULL);

        assertThat(lines).hasSize(2).last().asString().endsWith("no answer");
    }

    @Test
    void anotherResourceAndAnotherKindAreNotSilenced() {
        fail("demo", Kind.UNAVAILABLE);
        fail("other", Kind.UNAVAILABLE);
        fail("demo", Kind.FORBIDDEN);

        assertThat(lines).hasSize(3);
    }

    private void fail(String resource, Kind kind) {
        log.failed(resource, new StorageException(kind, "blob b: no answer", null));
    }
}
