package dev.kvstore.accounts.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report of a data plane on a trial of an account's storage.
 *
 * @param by the data plane
 * @param steps the steps in order; the first that failed is the last
 * @param warnings warnings about settings of the storage, also settings that cannot be read; null if none were read:
 *     the storage is a folder, the data plane is of an earlier version, or the trial ended before
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
     * A step of a trial.
     *
     * @param name credential, ownership, write, read or delete
     * @param reason why the step failed; empty if it did not
     */
    public record Step(String name, boolean ok, String reason, long millis) {}

    public ProbeReport {
        steps = List.copyOf(steps);
        warnings = warnings == null ? null : List.copyOf(warnings);
    }

    /**
     * A report of these steps.
     *
     * @param toProve whether the storage has still to be proven the tenant's; if the steps do not prove it, the report
     *     hides what the platform's identity found there, since the storage may belong to anybody
     * @param taken whether the storage is proven to be another account's
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
