package dev.kvstore.control.heat;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.warming.TwoRegions;
import dev.kvstore.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link HeavyPlaces}: failovers that wait for each other keep no change waiting. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class HeavyPlacesTest extends TwoRegions {
    /** More than there are slots for changes. */
    private static final int FAILOVERS = 24;

    @Inject
    @SuppressWarnings("NullAway.Init")
    HeavyQueries queries;

    private static RequestSpecification admin() {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .body(Map.of());
    }

    @Test
    void failoversThatAreSentToBeRepeatedWaitWithoutASlotForChanges() throws Exception {
        account("heavy-failover");
        CountDownLatch end = new CountDownLatch(1);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < HeavyQueries.AT_A_TIME; i++) {
                String party = "tenant " + i;
                var _ = callers.submit(() -> queries.inPlace(party, () -> {
                    end.await();
                    return 1;
                }));
            }
            await().atMost(Patience.LIMIT).until(() -> queries.free() == 0);
            for (int i = 0; i < FAILOVERS; i++) {
                String key = "heavy-" + i;
                var _ = callers.submit(() ->
                        admin().header("Idempotency-Key", key).post("/v1/accounts/heavy-failover/failover/warm-away"));
            }
            // So many as there are slots if they had one each.
            await().atMost(Patience.LIMIT).until(() -> queries.waiting() >= 12);

            try {
                assertThat(admin().put("/v1/tenants/heavy-other").statusCode()).isEqualTo(201);
            } finally {
                end.countDown();
            }
        }
    }
}
