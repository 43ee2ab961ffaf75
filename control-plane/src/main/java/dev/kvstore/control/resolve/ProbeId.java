package dev.kvstore.control.resolve;

import dev.kvstore.accounts.account.Probes;
import dev.kvstore.accounts.account.Replica;

/** Names a trial in a message: the data plane that makes the trial gives this name back. */
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
     * Reads the name of a trial that a data plane gives back.
     *
     * @throws IllegalArgumentException if the text is not the name of a trial
     */
    static ProbeId of(String text) {
        String[] parts = text.split("/", PARTS);
        if (parts.length != PARTS || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("must be the id of a probe");
        }
        return new ProbeId(new Probes.ProbeTrial(parts[0], parts[1], parts[2], parts[3]));
    }
}
