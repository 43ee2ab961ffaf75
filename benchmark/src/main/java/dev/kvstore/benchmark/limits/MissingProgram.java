package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.peers.PeerProgram;
import dev.kvstore.benchmark.peers.Programs;
import java.util.List;

/** A program that a limit is held against, and the machine does not have. */
record MissingProgram(Limit limit, String program, String debianPackage) {
    /** The programs for these limits that this machine lacks. */
    static List<MissingProgram> of(List<Limit> limits, Programs programs) {
        return limits.contains(Limit.DISK) && !programs.paths().containsKey(PeerProgram.FIO)
                ? List.of(new MissingProgram(Limit.DISK, PeerProgram.FIO.command(), PeerProgram.FIO.debianPackage()))
                : List.of();
    }

    @Override
    public String toString() {
        return limit + ": no " + program + "; install " + debianPackage;
    }
}
