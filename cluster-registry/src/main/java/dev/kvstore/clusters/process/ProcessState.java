package dev.kvstore.clusters.process;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.clusters.member.MemberView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The state of a process, as far as is known. */
public enum ProcessState {
    /** An operator registered the process, which holds no lease and has none that ended lately. */
    @JsonProperty("absent")
    ABSENT,
    @JsonProperty("serving")
    SERVING,
    /** The process holds a lease and takes nothing new, of its own accord or because an operator drains it. */
    @JsonProperty("draining")
    DRAINING,
    /** The process' lease has ended: it is in no route, and is forgotten unless it sends a heartbeat. */
    @JsonProperty("lapsed")
    LAPSED;

    /**
     * The state of a process at a moment.
     *
     * @param drained whether an operator drains it
     * @param member the process' own description; null if it has not joined, or has left
     */
    static ProcessState of(boolean drained, @Nullable MemberView member, Instant now) {
        if (member == null) {
            return ABSENT;
        }
        if (!now.isBefore(member.leaseEndsAt())) {
            return LAPSED;
        }
        return drained || member.draining() ? DRAINING : SERVING;
    }
}
