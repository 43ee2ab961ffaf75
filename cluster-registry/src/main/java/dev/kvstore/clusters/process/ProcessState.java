package dev.kvstore.clusters.process;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.clusters.member.MemberView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Whether a process serves, as far as is known. */
public enum ProcessState {
    /** An operator spoke of it, and it holds no lease and has none that ended lately. */
    @JsonProperty("absent")
    ABSENT,
    @JsonProperty("serving")
    SERVING,
    /** It holds a lease and takes nothing new, by its own will or an operator's. */
    @JsonProperty("draining")
    DRAINING,
    /** Its lease has ended: it is in no route, and is forgotten unless it is heard of again. */
    @JsonProperty("lapsed")
    LAPSED;

    /**
     * The state of a process at a moment.
     *
     * @param drained by an operator
     * @param member its own description; null if it has not joined, or left
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
