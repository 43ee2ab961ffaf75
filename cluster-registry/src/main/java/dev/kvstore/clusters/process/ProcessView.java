package dev.kvstore.clusters.process;

import dev.kvstore.clusters.member.MemberView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A data-plane process, as callers see it.
 *
 * @param address null if another process has taken it: this one drains, and has not come back
 * @param declared whether an operator registered the process, so that it stays until an operator deletes it; else it
 *     joined by itself
 * @param draining whether an operator wants it to take nothing new
 * @param member the process' own description; null if it has not joined, or has left
 * @param version the version of the operators' settings, not of the process' reports
 */
public record ProcessView(
        String cluster,
        String name,
        @Nullable String address,
        @Nullable Integer numaNode,
        boolean declared,
        boolean draining,
        ProcessState state,
        @Nullable MemberView member,
        Instant createdAt,
        long version) {
    /**
     * The form of a process in the log of changes: without the fields that the process itself reports every few
     * seconds, since no operator sets them.
     */
    record RegisteredProcess(
            String cluster,
            String name,
            @Nullable String address,
            @Nullable Integer numaNode,
            boolean declared,
            boolean draining,
            @Nullable Instant refreshAt,
            long refreshes,
            Instant createdAt,
            long version) {
        static RegisteredProcess of(ServingProcess process) {
            return new RegisteredProcess(
                    process.id().cluster(),
                    process.id().name(),
                    process.address(),
                    process.numaNode(),
                    process.declared(),
                    process.draining(),
                    process.refreshAt(),
                    process.refreshes(),
                    process.createdAt(),
                    process.version());
        }
    }

    static ProcessView of(ServingProcess process, @Nullable MemberView member, Instant now) {
        return new ProcessView(
                process.id().cluster(),
                process.id().name(),
                process.address(),
                process.numaNode(),
                process.declared(),
                process.draining(),
                ProcessState.of(process.draining(), member, now),
                member,
                process.createdAt(),
                process.version());
    }
}
