package dev.kvstore.control.warming;

import java.util.Optional;

/** An admin's command to a warming. */
public enum Command {
    /** The warming waits; copied blocks stay. */
    PAUSE {
        @Override
        Optional<WarmingState> next(Warming job) {
            return job.state().isOver() ? Optional.empty() : Optional.of(WarmingState.PAUSED);
        }
    },
    /** The warming goes on where it was paused. */
    RESUME {
        @Override
        Optional<WarmingState> next(Warming job) {
            return switch (job.state()) {
                case PLANNING, RUNNING, WAITING -> Optional.of(job.state());
                case PAUSED -> Optional.of(job.open());
                case DONE, PARTIAL, CANCELLED, FAILED -> Optional.empty();
            };
        }
    },
    /** The warming ends; copied blocks stay. */
    CANCEL {
        @Override
        Optional<WarmingState> next(Warming job) {
            return job.state().isOver() && job.state() != WarmingState.CANCELLED
                    ? Optional.empty()
                    : Optional.of(WarmingState.CANCELLED);
        }
    };

    /**
     * The state of a warming after this command, which may be its present state; empty if the command is not possible
     * now.
     */
    abstract Optional<WarmingState> next(Warming job);
}
