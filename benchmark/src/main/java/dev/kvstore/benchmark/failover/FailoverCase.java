package dev.kvstore.benchmark.failover;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A fault, and the part of the stack that it hits. */
record FailoverCase(FailoverAction deed, FaultScope scope) {
    /** The fault. */
    enum FailoverAction {
        /** SIGKILL. */
        KILL,
        /** SIGSTOP: connections stay, and nobody answers. */
        FREEZE,
        /** An operator drains the data planes over REST. */
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
    static final List<FailoverCase> ALL = Stream.of(FaultScope.values())
            .flatMap(scope -> Stream.of(FailoverAction.values()).map(deed -> new FailoverCase(deed, scope)))
            .toList();

    /** The case's name on the command line and in the report, such as {@code kill-process}. */
    String name() {
        return (deed + "-" + scope).toLowerCase(Locale.ROOT);
    }

    /**
     * The case of a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static FailoverCase named(String name) {
        List<String> names = ALL.stream().map(FailoverCase::name).toList();
        if (!names.contains(name)) {
            throw new IllegalArgumentException("--only: must be one of " + String.join(", ", names) + ", not " + name);
        }
        return ALL.get(names.indexOf(name));
    }
}
