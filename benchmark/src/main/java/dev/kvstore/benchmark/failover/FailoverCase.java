package dev.kvstore.benchmark.failover;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A fault, and the part of the stack that it hits.
 *
 * @param deed the fault
 * @param scope to what
 */
record FailoverCase(FailoverAction deed, FaultScope scope) {
    /** The fault. */
    enum FailoverAction {
        /** SIGKILL. */
        KILL,
        /** SIGSTOP: connections stay, and nobody answers. */
        FREEZE,
        /** As an operator does it, over REST. */
        DRAIN
    }

    /** The part of the stack that the fault hits. */
    enum FaultScope {
        /** One data plane of a cluster of two. */
        PROCESS,
        /** One of the two clusters of the clients' region. */
        CLUSTER,
        /** All of the clients' region. */
        REGION
    }

    /** All, the least first. */
    static List<FailoverCase> all() {
        List<FailoverCase> cases = new ArrayList<>();
        for (FaultScope scope : FaultScope.values()) {
            for (FailoverAction deed : FailoverAction.values()) {
                cases.add(new FailoverCase(deed, scope));
            }
        }
        return List.copyOf(cases);
    }

    /** As on the command line and in the report: {@code kill-process}. */
    String name() {
        return (deed + "-" + scope).toLowerCase(Locale.ROOT);
    }

    /**
     * The case of a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static FailoverCase named(String name) {
        return all().stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--only: must be one of "
                        + String.join(
                                ", ", all().stream().map(FailoverCase::name).toList()) + ", not " + name));
    }
}
