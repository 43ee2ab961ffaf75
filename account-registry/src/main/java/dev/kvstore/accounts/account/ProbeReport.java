package dev.kvstore.accounts.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report of a data plane on a trial of an account's storage.
 *
 * @param by which data plane
 * @param steps in order; the first that failed is the last
 * @param warnings of settings of the storage that an admin should know of, among them settings that cannot be seen;
 *     null if nothing was looked at: of a folder, by a data plane of an earlier version, and if the trial ended before
 */
public record ProbeReport(
        Instant at,
        String by,
        boolean ok,
        List<Step> steps,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<StorageWarning> warnings) {
    private static final String OWNERSHIP = "ownership";
    private static final String LAST = "delete";

    /**
     * A step.
     *
     * @param name credential, ownership, write, read or delete
     * @param reason why it failed; empty if it did not
     */
    public record Step(String name, boolean ok, String reason, long millis) {}

    public ProbeReport {
        steps = List.copyOf(steps);
        warnings = warnings == null ? null : List.copyOf(warnings);
    }

    /**
     * The report of these steps.
     *
     * @param toProve somebody has still to show that the place is the tenant's; if these steps do not, they do not tell
     *     either what the platform's identity found there: it may be anybody's
     * @param taken another account has been shown to own it
     */
    static ProbeReport of(
            Instant at,
            String by,
            List<Step> steps,
            @Nullable List<StorageWarning> warnings,
            boolean toProve,
            boolean taken) {
        boolean proven = !toProve || steps.stream().anyMatch(step -> step.name().equals(OWNERSHIP) && step.ok());
        if (!proven) {
            return new ProbeReport(at, by, false, List.of(unproven(steps)), null);
        }
        if (taken) {
            List<Step> all = new ArrayList<>(steps);
            all.add(new Step(OWNERSHIP, false, "the place is another account's", 0));
            return new ProbeReport(at, by, false, all, null);
        }
        boolean complete =
                steps.stream().allMatch(Step::ok) && steps.getLast().name().equals(LAST);
        return new ProbeReport(at, by, complete, steps, warnings);
    }

    /** The report of a trial that found the proof of ownership, which another cluster has to confirm. */
    ProbeReport unconfirmed() {
        List<Step> all = new ArrayList<>(steps);
        all.add(new Step(
                OWNERSHIP,
                false,
                "one cluster of the region has read the proof; another cluster of the region has to read it, too",
                0));
        return new ProbeReport(at, by, false, all, warnings);
    }

    private static Step unproven(List<Step> steps) {
        return new Step(
                OWNERSHIP,
                false,
                "the proof could not be read: the container has to be there, let the credential read, write and delete,"
                        + " and hold the blob with exactly the content asked for; the control plane's log has more",
                steps.stream().mapToLong(Step::millis).sum());
    }
}
