package dev.kvstore.clusters.cluster;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.clusters.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ClustersTest extends RunningRegistry {
    @Test
    void theDistanceOfTwoRegionsIsTheSameFromBoth() {
        region("near");
        region("far");

        put("/v1/regions/near/round-trips/far", Map.of("micros", 80_000)).then().statusCode(201);

        admin().get("/v1/regions/far/round-trips")
                .then()
                .body("items[0].other", equalTo("near"))
                .body("items[0].micros", equalTo(80_000));
        put("/v1/regions/near/round-trips/near", Map.of("micros", 1)).then().statusCode(400);
        put("/v1/regions/near/round-trips/none", Map.of("micros", 1)).then().statusCode(404);
    }

    @Test
    void aClusterStaysInItsRegion() {
        region("here");
        region("there");
        put("/v1/clusters/fixed", Map.of("region", "here"))
                .then()
                .statusCode(201)
                .body("state", equalTo("provisioning"));

        put("/v1/clusters/fixed", Map.of("region", "there"))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("region"));
        put("/v1/clusters/lost", Map.of("region", "nowhere")).then().statusCode(400);
    }

    @Test
    void processesBelongToAClusterWhichCannotGoBeforeThem() {
        region("full");
        put("/v1/clusters/full-a", Map.of("region", "full", "state", "active"));

        put("/v1/clusters/full-a/processes/n0", Map.of("address", "10.0.0.4:8085", "numaNode", 0))
                .then()
                .statusCode(201);

        admin().get("/v1/clusters/full-a/processes").then().body("items.address", hasItem("10.0.0.4:8085"));
        admin().delete("/v1/regions/full").then().statusCode(409);
        admin().delete("/v1/clusters/full-a").then().statusCode(409);
        admin().delete("/v1/clusters/full-a/processes/n0").then().statusCode(204);
        admin().delete("/v1/clusters/full-a").then().statusCode(204);
        admin().delete("/v1/regions/full").then().statusCode(204);
        put("/v1/clusters/none/processes/n0", Map.of("address", "10.0.0.4:8085"))
                .then()
                .statusCode(404);
    }

    @Test
    void anAddressIsOneProcesses() {
        region("addressed");
        put("/v1/clusters/addressed-a", Map.of("region", "addressed"));
        put("/v1/clusters/addressed-a/processes/p1", Map.of("address", "10.1.1.1:8085"));

        put("/v1/clusters/addressed-a/processes/p2", Map.of("address", "10.1.1.1:8085"))
                .then()
                .statusCode(409)
                .body("detail", org.hamcrest.Matchers.containsString("addressed-a/p1"));
    }

    @Test
    void roundTripsAreTheSameBothWaysWhateverTheOrderOfNames() {
        region("z-1");
        region("a-2");

        put("/v1/regions/z-1/round-trips/a-2", Map.of("micros", 70_000)).then().statusCode(201);

        put("/v1/regions/a-2/round-trips/z-1", Map.of("micros", 70_000)).then().statusCode(200);
    }

    @Test
    void aClusterKeepsItsAdvertisedAddressUntilItIsToldAnother() {
        region("balanced");
        Map<String, Object> without = Map.of("region", "balanced", "state", "active");
        put("/v1/clusters/balanced-a", without).then().statusCode(201).body("advertisedAddress", nullValue());

        put("/v1/clusters/balanced-a", Map.of("region", "balanced", "advertisedAddress", "kv.example.net:8085"))
                .then()
                .statusCode(200)
                .body("advertisedAddress", equalTo("kv.example.net:8085"));
        put("/v1/clusters/balanced-a", without).then().body("advertisedAddress", equalTo("kv.example.net:8085"));
        put("/v1/clusters/balanced-a", Map.of("region", "balanced", "advertisedAddress", "none"))
                .then()
                .body("advertisedAddress", nullValue());
    }

    @Test
    void anAdvertisedAddressIsAHostWithAPortOrWithout() {
        region("misled");
        put("/v1/clusters/misled-b", Map.of("region", "misled", "advertisedAddress", "kv.example.net"))
                .then()
                .statusCode(201);
        for (String wrong :
                List.of("", "kv.example.net:", "kv.example.net:65536", "https://kv.example.net:443", "a:1,b:1")) {
            put("/v1/clusters/misled-a", Map.of("region", "misled", "advertisedAddress", wrong))
                    .then()
                    .statusCode(400)
                    .body("errors[0].field", equalTo("advertisedAddress"));
        }
    }
}
