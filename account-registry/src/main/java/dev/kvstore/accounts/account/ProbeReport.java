package dev.kvstore.accounts.account;

import java.time.Instant;
import java.util.List;

/**
 * What a data plane found that tried an account's storage.
 *
 * @param by which data plane
 * @param steps in order; the first that failed is the last
 */
public record ProbeReport(Instant at, String by, boolean ok, List<Step> steps) {
    /**
     * A step.
     *
     * @param name credential, ownership, write, read or delete
     * @param reason why it failed; empty if it did not
     */
    public record Step(String name, boolean ok, String reason, long millis) {}

    public ProbeReport {
        steps = List.copyOf(steps);
    }
}
