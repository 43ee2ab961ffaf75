package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.peers.Program;
import dev.kvstore.benchmark.peers.Programs;
import java.util.List;

/** A program that a limit is held against, and the machine does not have. */
record Missing(Limit limit, String program, String debianPackage) {
    /** Of these limits, what this machine lacks. */
    static List<Missing> of(List<Limit> limits, Programs programs) {
        return limits.contains(Limit.DISK) && !programs.paths().containsKey(Program.FIO)
                ? List.of(new Missing(Limit.DISK, Program.FIO.command(), Program.FIO.debianPackage()))
                : List.of();
    }

    @Override
    public String toString() {
        return limit + ": no " + program + "; install " + debianPackage;
    }
}
