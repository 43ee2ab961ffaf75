package dev.kvstore.accounts.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Warnings of a storage's settings are told to the tenant that owns the storage, and to no other. */
class ProbeReportTest {
    private static final List<StorageWarning> WARNINGS =
            List.of(StorageWarning.present("versioning"), StorageWarning.unknown("legal_hold", "answered 403"));

    private static ProbeReport report(boolean toProve, boolean taken, String... steps) {
        return ProbeReport.of(
                Instant.EPOCH,
                "node",
                Stream.of(steps)
                        .map(name -> new ProbeReport.Step(name, true, "", 1))
                        .toList(),
                WARNINGS,
                toProve,
                taken);
    }

    @Test
    void warningsChangeNothingOfTheResult() {
        ProbeReport report = report(false, false, "credential", "write", "read", "delete");

        assertThat(report.ok()).isTrue();
        assertThat(report.warnings()).isEqualTo(WARNINGS);
    }

    @Test
    void ofAPlaceThatIsNotProvenNothingIsTold() {
        assertThat(report(true, false, "credential", "write", "read", "delete").warnings())
                .isNull();
    }

    @Test
    void ofAPlaceThatIsAnothersNothingIsTold() {
        assertThat(report(true, true, "credential", "ownership", "write", "read", "delete")
                        .warnings())
                .isNull();
    }

    @Test
    void aSettingThatCannotBeSeenIsToldAsUnknownWithTheReason() {
        StorageWarning unknown = WARNINGS.getLast();

        assertThat(unknown.known()).isFalse();
        assertThat(unknown.text()).startsWith("cannot be seen: answered 403. If it is on: blobs can be neither");
    }
}
