package dev.kvstore.launcher.machine;

import java.util.Optional;

/** What a data plane says about its drain. */
sealed interface DrainAnswer {
    /** It answered. */
    record ToldDrain(DrainState state) implements DrainAnswer {}

    /** Nothing listens at its port: the process has ended, and its calls with it. */
    record EndedProcess() implements DrainAnswer {}

    /** Something listens and gives no answer in time, or none that can be read. */
    record SilentProcess() implements DrainAnswer {}

    /** The state that counts for the machine. */
    default DrainState counted() {
        return switch (this) {
            case ToldDrain told -> told.state();
            case EndedProcess() -> DrainState.OVER;
            case SilentProcess() -> DrainState.SILENT;
        };
    }

    /** The state that it told; empty if it told none. */
    default Optional<DrainState> told() {
        return this instanceof ToldDrain(DrainState state) ? Optional.of(state) : Optional.empty();
    }
}
