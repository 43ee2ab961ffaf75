package dev.kvstore.control.resolve;

import dev.kvstore.accounts.account.Probes;
import dev.kvstore.accounts.account.Replica;

/** A place that is tried, as the data plane that tries it gives it back. */
record ProbeId(Probes.ProbeTrial trial) {
    private static final int PARTS = 4;

    /** The id of a trial that was just given out. */
    static ProbeId of(Replica replica) {
        return new ProbeId(new Probes.ProbeTrial(
                replica.resourceName(), replica.region(), replica.attempt(), String.valueOf(replica.claim())));
    }

    String text() {
        return String.join("/", trial.resourceName(), trial.region(), trial.attempt(), trial.claim());
    }

    /**
     * Reads what a data plane gives back.
     *
     * @throws IllegalArgumentException if it is none
     */
    static ProbeId of(String text) {
        String[] parts = text.split("/", PARTS);
        if (parts.length != PARTS || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("must be the id of a probe");
        }
        return new ProbeId(new Probes.ProbeTrial(parts[0], parts[1], parts[2], parts[3]));
    }
}
