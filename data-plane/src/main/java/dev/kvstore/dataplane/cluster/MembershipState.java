package dev.kvstore.dataplane.cluster;

import io.grpc.Status;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The next step of a member, and its time: register until there is a lease, then renew it until it is lost. Without
 * clock and network; for one thread.
 */
final class MembershipState {
    /** Pause after the first failure; doubled each time. */
    static final Duration FIRST_PAUSE = Duration.ofMillis(200);

    /** The longest pause, so that the fleet is whole again seconds after the control plane is back. */
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /**
     * Pause after a failure that an admin must resolve; a dead process of the same name may also hold its lease for
     * this time.
     */
    static final Duration REFUSED_PAUSE = Duration.ofSeconds(15);

    /** Part of the period by which a heartbeat may be early, so that members that began together spread out. */
    private static final double SPREAD = 0.1;

    /** How long the members of a fleet that lost all leases at once take to come back. */
    private static final Duration RETURN = Duration.ofSeconds(1);

    private final RandomGenerator random;
    private boolean member;
    private Duration period = LONGEST_PAUSE;
    private Duration pause = FIRST_PAUSE;

    MembershipState(RandomGenerator random) {
        this.random = random;
    }

    /** Whether a heartbeat is next, and not a registration. */
    boolean isMember() {
        return member;
    }

    /** Records that a lease was given, and returns the time until it is to be renewed. */
    Duration registered(Duration heartbeatPeriod) {
        member = true;
        period = heartbeatPeriod.isPositive() ? heartbeatPeriod : LONGEST_PAUSE;
        return renewed();
    }

    /** Records that the lease was renewed, and returns the time until it is to be renewed again. */
    Duration renewed() {
        pause = FIRST_PAUSE;
        return Duration.ofNanos((long) (period.toNanos() * (1 - SPREAD * random.nextDouble())));
    }

    /** Records that the last call failed, and returns the time until the next one. */
    Duration failed(Status.Code why) {
        if (why == Status.Code.NOT_FOUND && member) {
            member = false;
            pause = FIRST_PAUSE;
            return Duration.ofNanos((long) (RETURN.toNanos() * random.nextDouble()));
        }
        if (needsSomebody(why)) {
            return half(REFUSED_PAUSE);
        }
        Duration next = pause;
        Duration most = member ? min(period, LONGEST_PAUSE) : LONGEST_PAUSE;
        pause = min(pause.multipliedBy(2), most);
        return half(min(next, most));
    }

    /** Whether trying again helps only once somebody has changed something. */
    static boolean needsSomebody(Status.Code why) {
        return switch (why) {
            case INVALID_ARGUMENT,
                    FAILED_PRECONDITION,
                    ALREADY_EXISTS,
                    NOT_FOUND,
                    UNAUTHENTICATED,
                    PERMISSION_DENIED,
                    UNIMPLEMENTED -> true;
            default -> false;
        };
    }

    /** A time between the half and the whole. */
    private Duration half(Duration whole) {
        return Duration.ofNanos((long) (whole.toNanos() * (0.5 + random.nextDouble() / 2)));
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
