package dev.kvstore.control.warming;

import java.util.Optional;

/** What an admin has a warming do. */
enum Command {
    /** Waits, and keeps what it has. */
    PAUSE {
        @Override
        Optional<WarmingState> next(Warming job) {
            return job.state().isOver() ? Optional.empty() : Optional.of(WarmingState.PAUSED);
        }
    },
    /** Goes on where it was paused. */
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
    /** Ends; what was copied stays. */
    CANCEL {
        @Override
        Optional<WarmingState> next(Warming job) {
            return job.state().isOver() && job.state() != WarmingState.CANCELLED
                    ? Optional.empty()
                    : Optional.of(WarmingState.CANCELLED);
        }
    };

    /** The state that it brings a warming into, which may be the one that it is in; empty if it cannot be given now. */
    abstract Optional<WarmingState> next(Warming job);
}
