package dev.kvstore.dataplane.storage.http;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.schedule.RacingThreads.ThreadBody;
import dev.kvstore.testing.schedule.Schedules;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule room for a connection that nobody needs any more is free again. */
@Tag("slow")
final class ConnectionBudgetRacesTest {
    private final Loops loops = Loops.start(1);
    private final ServiceMeters.AllServices meters = new ServiceMeters.AllServices(new SimpleMeterRegistry());

    @Test
    void roomThatHostsNoLongerNeedIsFree() {
        Schedules.explore(() -> {
            ConnectionBudget budget = new ConnectionBudget(1);

            race(user(budget, "a"), user(budget, "b"), user(budget, "c"));

            assertThat(budget.open()).isZero();
            ConnectionPool next = host(budget, "d");
            assertThat(budget.take(next)).isTrue();
            assertThat(budget.isOverShare(next)).isFalse();
        });
    }

    /** A host that opens a connection if there is room, and needs none any more if there is none. */
    private ThreadBody user(ConnectionBudget budget, String name) {
        ConnectionPool host = host(budget, name);
        return () -> {
            for (int i = 0; i < 2; i++) {
                if (budget.take(host)) {
                    assertThat(budget.open()).isEqualTo(1);
                    budget.giveBack(host);
                } else {
                    budget.makeRoom();
                }
            }
        };
    }

    private ConnectionPool host(ConnectionBudget budget, String name) {
        HttpOrigin origin = new HttpOrigin(false, name, 80);
        return new ConnectionPool(
                origin,
                ClientFixture.OPTIONS,
                loops,
                AddressCache.ofSystem(Duration.ofDays(1)),
                null,
                budget,
                meters.of(origin));
    }
}
