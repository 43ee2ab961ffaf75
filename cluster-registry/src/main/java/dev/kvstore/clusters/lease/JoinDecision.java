package dev.kvstore.clusters.lease;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The decision about a process that wants to join. */
sealed interface JoinDecision {
    /** The process is a member already, under this lease. */
    record KnownMember(UUID lease) implements JoinDecision {}

    /**
     * The process may join.
     *
     * @param gone the process that had its address and is removed for it; null if there is none
     */
    record Free(@Nullable Occupant gone) implements JoinDecision {}

    /**
     * Another process has the name or the address.
     *
     * @param reason a text that names the field
     */
    record OtherMember(String reason) implements JoinDecision {}

    /**
     * Decides whether a process may join. A name and an address belong to one process. A new instance replaces an
     * instance whose lease has ended, and also a live one with the same name and address, since that one was restarted.
     * A process that an operator registered is replaced by no other.
     *
     * @param there all processes with its name in its cluster, or with its address
     */
    static JoinDecision of(Registration joining, List<Occupant> there, Instant now) {
        Occupant gone = null;
        Occupant named = null;
        for (Occupant occupant : there) {
            if (occupant.cluster().equals(joining.cluster()) && occupant.name().equals(joining.process())) {
                named = occupant;
            } else if (occupant.lives(now)) {
                return new OtherMember("address: " + occupant + " holds a lease at " + joining.address());
            } else if (occupant.declared()) {
                return new OtherMember("address: " + joining.address() + " is registered as " + occupant
                        + ": join under that name, or have an operator delete it");
            } else {
                gone = occupant;
            }
        }
        if (named == null || named.held() == null) {
            return new Free(gone);
        }
        if (named.held().instance().equals(joining.instance())) {
            return gone == null ? new KnownMember(named.held().lease()) : new Free(gone);
        }
        if (named.lives(now) && !joining.address().equals(named.address())) {
            return new OtherMember("process: another instance of " + named + " holds a lease at " + named.address());
        }
        return new Free(gone);
    }
}
