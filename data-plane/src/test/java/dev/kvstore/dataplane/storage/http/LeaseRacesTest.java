package dev.kvstore.dataplane.storage.http;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.schedule.RacingThreads.ThreadBody;
import dev.kvstore.testing.schedule.Schedules;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule the lender has its memory back only when nobody reads it, and has it back at last. */
@Tag("slow")
final class LeaseRacesTest {
    @Test
    void nobodyReadsMemoryThatIsBack() {
        Schedules.explore(() -> {
            Lease lease = new Lease();
            AtomicBoolean back = new AtomicBoolean();
            ThreadBody reader = () -> {
                if (lease.begin()) {
                    assertThat(back).isFalse();
                    lease.end();
                }
            };

            race(reader, reader, () -> {
                lease.close();
                back.set(true);
                assertThat(lease.begin()).isFalse();
            });
        });
    }
}
