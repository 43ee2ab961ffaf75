package dev.kvstore.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.admin.RestPeer;
import dev.kvstore.launcher.process.Ports;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.AdminException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests of a stack to its control plane, against a server that answers as one. */
class StackRegistrationTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MADE = "kv_0123456789ab_" + "N".repeat(43);
    private static final StackAccounts.Storage STORAGE = new StackAccounts.Filesystem("/var/a folder");

    @TempDir
    Path path;

    private RestPeer peer;
    private AdminClient client;
    private StackRegistration registration;

    @BeforeEach
    void start() throws IOException {
        peer = new RestPeer()
                .answers("PUT /v1/regions/local", 201, "{}")
                .answers("PUT /v1/clusters/local", 201, "{}")
                .answers("PUT /v1/tenants/local", 201, "{}")
                .answers("PUT /v1/accounts/demo", 201, "{}")
                .answers("POST /v1/tenants/local/keys", 201, "{\"key\": \"" + MADE + "\"}");
        client = new AdminClient(peer.url(), "kva_token");
        registration = new StackRegistration(client, StackLayout.single(1));
    }

    @AfterEach
    void stop() {
        client.close();
        peer.close();
    }

    private ApiKey register(@Nullable ApiKey kept) throws Exception {
        try (StackFolder folder = StackFolder.take(path)) {
            if (kept != null) {
                folder.keep(kept);
            }
            ApiKey key = registration.register(Map.of("local", STORAGE), folder);
            assertThat(folder.keptKey()).isEqualTo(key);
            return key;
        }
    }

    /** Only the data planes' region of a route counts, and a process in it. */
    @Test
    @Tag("slow")
    void isReadyOnceClientsAreSentToADataPlane() throws Exception {
        String routes = "GET /v1/routes/demo?region=local";
        String level = "{\"levels\": [{\"region\": \"%s\", \"targets\": [%s]}]}";
        peer.answers("GET /v1/accounts/demo", 200, "{\"ready\": true}")
                .answersOnce(routes, 503, "{}")
                .answersOnce(routes, 200, "{\"levels\": []}")
                .answersOnce(routes, 200, level.formatted("local", ""))
                .answersOnce(routes, 200, level.formatted("away", "{}"))
                .answers(routes, 200, level.formatted("local", "{}"));
        int port = Ports.free(new Random(), 1, 0, StackDataPlane.HTTP_OFFSET);
        StackDataPlane dataPlane = StackDataPlane.start(
                StackLayout.single(1).seats().getFirst(), port, List.of("sleep", "60"), Map.of(), path.resolve("log"));
        try {
            registration.awaitReady(dataPlane);
        } finally {
            dataPlane.stop();
        }

        assertThat(peer.calls()).filteredOn(routes::equals).hasSize(5);
    }

    @Test
    void registersInTheOrderOfWhatRefersToWhatAndKeepsTheKey() throws Exception {
        assertThat(register(null).text()).isEqualTo(MADE);

        assertThat(peer.calls())
                .containsExactly(
                        "PUT /v1/regions/local",
                        "PUT /v1/clusters/local",
                        "PUT /v1/tenants/local",
                        "PUT /v1/accounts/demo",
                        "POST /v1/tenants/local/keys");
    }

    @Test
    void vouchesForItsOwnStorage() throws Exception {
        register(null);

        JsonNode spec = JSON.readTree(peer.requests().get(3).body());
        assertThat(spec.path("tenant").asText()).isEqualTo("local");
        assertThat(spec.at("/replicas/0/endpoint").asText()).isEqualTo("file:///var/a%20folder");
        assertThat(spec.at("/replicas/0/region").asText()).isEqualTo("local");
        assertThat(spec.at("/replicas/0/vouched").asBoolean()).isTrue();
    }

    @Test
    void leavesATenantThatIsThereAsAnAdminHasMadeIt() throws Exception {
        peer.answers("PUT /v1/tenants/local", 412, "{\"title\": \"Changed meanwhile\"}");

        assertThat(register(null).text()).isEqualTo(MADE);

        assertThat(peer.requests().get(2).headers()).containsEntry("If-none-match", List.of("*"));
    }

    @Test
    void goesOnWithAKeyThatIsStillGood() throws Exception {
        ApiKey kept = ApiKey.generate(new Random(1));
        peer.answers(
                "GET /v1/tenants/local/keys/" + kept.id(),
                200,
                "{\"revokedAt\": null, \"expiresAt\": \"9999-01-01T00:00:00Z\"}");

        assertThat(register(kept)).isEqualTo(kept);

        assertThat(peer.calls()).doesNotContain("POST /v1/tenants/local/keys");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"revokedAt\": \"2026-01-01T00:00:00Z\", \"expiresAt\": null}",
                "{\"revokedAt\": null, \"expiresAt\": \"2026-01-01T00:00:00Z\"}"
            })
    void makesAKeyInPlaceOfOneThatIsNot(String view) throws Exception {
        ApiKey kept = ApiKey.generate(new Random(1));
        peer.answers("GET /v1/tenants/local/keys/" + kept.id(), 200, view);

        assertThat(register(kept).text()).isEqualTo(MADE);
    }

    @Test
    void makesAKeyInPlaceOfOneThatTheControlPlaneDoesNotKnow() throws Exception {
        assertThat(register(ApiKey.generate(new Random(1))).text()).isEqualTo(MADE);
    }

    @Test
    void keepsTheKeyWhenTheControlPlaneCannotSay() {
        ApiKey kept = ApiKey.generate(new Random(1));
        peer.answers("GET /v1/tenants/local/keys/" + kept.id(), 503, "{\"title\": \"Away\", \"detail\": \"later\"}");

        assertThatThrownBy(() -> register(kept))
                .isInstanceOf(AdminException.class)
                .hasMessage("Away: later");

        assertThat(path.resolve("api-key")).hasContent(kept.text());
    }

    @Test
    void namesEachRegionAndHowFarTheyAreApartAndAReplicaInEach() throws Exception {
        peer.answers("PUT /v1/regions/second", 201, "{}")
                .answers("PUT /v1/clusters/second", 201, "{}")
                .answers("PUT /v1/regions/local/round-trips/second", 201, "{}");
        registration = new StackRegistration(client, StackLayout.of(2, 1, Duration.ofMillis(80)));

        try (StackFolder folder = StackFolder.take(path)) {
            registration.register(
                    Map.of("local", STORAGE, "second", new StackAccounts.Filesystem("/var/second")), folder);
        }

        assertThat(body("PUT /v1/regions/local/round-trips/second")
                        .path("micros")
                        .asInt())
                .isEqualTo(80_000);
        JsonNode account = body("PUT /v1/accounts/demo");
        assertThat(account.path("homeRegion").asText()).isEqualTo("local");
        assertThat(account.at("/replicas/1/region").asText()).isEqualTo("second");
        assertThat(account.at("/replicas/1/endpoint").asText()).isEqualTo("file:///var/second");
    }

    private JsonNode body(String call) throws IOException {
        return JSON.readTree(peer.requests().stream()
                .filter(request -> request.call().equals(call))
                .findFirst()
                .orElseThrow()
                .body());
    }

    @Test
    void saysWhatADataPlaneFoundWhereTheStorageIsNotReady() throws Exception {
        JsonNode account = JSON.readTree("""
                {"replicas": [{"state": "failing", "endpoint": "file:///x", "report": {"by": "host:8085", "steps": [
                  {"name": "credential", "ok": true}, {"name": "write", "ok": false, "reason": "permission denied"}]}}]}""");

        assertThat(StackRegistration.why(account))
                .isEqualTo("host:8085 tried its storage file:///x: write failed: permission denied");
    }

    @Test
    void saysThatNobodyHasTriedTheStorage() throws Exception {
        JsonNode account = JSON.readTree(
                "{\"replicas\": [{\"state\": \"unproven\", \"endpoint\": \"file:///x\", \"report\": null}]}");

        assertThat(StackRegistration.why(account)).isEqualTo("no data plane has tried its storage file:///x");
    }
}
