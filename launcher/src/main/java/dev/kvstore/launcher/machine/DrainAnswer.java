package dev.kvstore.launcher.machine;

import java.util.Optional;

/** A data plane's answer to a question about its drain. */
sealed interface DrainAnswer {
    /** The data plane answered. */
    record ToldDrain(DrainState state) implements DrainAnswer {}

    /** No process listens at the data plane's port: the data plane has ended, and its calls with it. */
    record EndedProcess() implements DrainAnswer {}

    /** A process listens at the port and gives no readable answer in time. */
    record SilentProcess() implements DrainAnswer {}

    /** The state that counts for the machine. */
    default DrainState counted() {
        return switch (this) {
            case ToldDrain told -> told.state();
            case EndedProcess() -> DrainState.OVER;
            case SilentProcess() -> DrainState.SILENT;
        };
    }

    /** The state in the answer; empty if there was no answer. */
    default Optional<DrainState> told() {
        return this instanceof ToldDrain(DrainState state) ? Optional.of(state) : Optional.empty();
    }
}
