package dev.kvstore.dataplane.server.health;

import dev.kvstore.dataplane.cluster.Announcer;
import dev.kvstore.dataplane.cluster.Membership;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Says of which cluster this process is a member. The check is always up, since clients that know the process are
 * served with and without a lease.
 */
@Readiness
@Singleton
public final class ClusterCheck implements HealthCheck {
    private final Optional<Membership> membership;
    private final Announcer announcer;

    ClusterCheck(Optional<Membership> membership, Announcer announcer) {
        this.membership = membership;
        this.announcer = announcer;
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder answer = HealthCheckResponse.named("cluster").up();
        if (membership.isEmpty()) {
            return answer.withData("cluster", "none").build();
        }
        Membership member = membership.get();
        String flaw = member.flaw();
        if (flaw != null) {
            answer.withData("reason", flaw);
        }
        return answer.withData("cluster", member.cluster())
                .withData("lease", member.isJoined() ? "held" : "none")
                .withData("peers", announcer.peers())
                .build();
    }
}
