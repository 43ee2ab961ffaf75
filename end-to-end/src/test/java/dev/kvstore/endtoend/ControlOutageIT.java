package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.stack.ApiKey;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StorageKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A control plane that is killed while clients use the data planes. */
class ControlOutageIT {
    private static final String CAREFUL = "careful";

    /** Longer than a watch needs to notice. */
    private static final Duration OUTAGE = Duration.ofSeconds(3);

    /** However busy the machine is. */
    private static final int LEAST_ROUNDS = 6;

    /** Seconds of the outage, of the 120 that {@code kv bench control} takes by default. */
    private static final int SECONDS = 10;

    // Some 35 s; on a machine that does much else, several times as long.
    private static final long PATIENCE_SECONDS = 240;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void failsNoRequestOfClientsAndIsHeardAgainWhenItIsBack() throws Exception {
        try (LocalStack stack = Stacks.startFast(folder, StorageKind.FILESYSTEM, StackLayout.single(1));
                AdminClient admin = control(stack).admin()) {
            ApiKey doomed = ImpatientClients.newKey(admin);
            try (KvClient client = ImpatientClients.client(stack, stack.key());
                    KvClient old = ImpatientClients.client(stack, doomed)) {
                ImpatientClients.awaitTaken(client);
                ImpatientClients.awaitTaken(old);

                control(stack).kill();

                int rounds = 0;
                long killed = System.nanoTime();
                while (System.nanoTime() - killed < OUTAGE.toNanos() || rounds < LEAST_ROUNDS) {
                    use(client);
                    use(old);
                    rounds++;
                }
                control(stack).startAgain();
                use(client);
                try (KvClient next = ImpatientClients.client(stack, ImpatientClients.newKey(admin))) {
                    ImpatientClients.awaitTaken(next);
                }
                ImpatientClients.revoke(admin, doomed);
                ImpatientClients.awaitRefused(old, ErrorCode.UNAUTHENTICATED);
                use(client);
            }
        }
    }

    @Test
    void endsTheServiceOfAnAccountThatAllowsNoOutageAlsoOverARestartOfTheDataPlane() throws Exception {
        try (LocalStack stack = Stacks.startFast(folder, StorageKind.FILESYSTEM, StackLayout.single(1));
                AdminClient admin = control(stack).admin()) {
            register(admin, CAREFUL);
            try (KvClient usual = ImpatientClients.client(stack, stack.key());
                    KvClient careful = ImpatientClients.client(stack, stack.key(), CAREFUL)) {
                ImpatientClients.awaitTaken(usual);
                ImpatientClients.awaitTaken(careful);
                use(careful);

                control(stack).kill();

                ImpatientClients.awaitRefused(careful, ErrorCode.UNAVAILABLE);
                use(usual);
                stack.dataPlane(0).restart();
                ImpatientClients.awaitTaken(usual);
                assertThat(ImpatientClients.refusal(careful)).contains(ErrorCode.UNAVAILABLE);
                control(stack).startAgain();
                ImpatientClients.awaitTaken(careful);
                use(careful);
            }
        }
    }

    /** An account of the stack's tenant that is served no longer than the control plane is heard. */
    private void register(AdminClient admin, String name) throws InterruptedException {
        ObjectNode spec = JsonNodeFactory.instance
                .objectNode()
                .put("tenant", LocalStack.TENANT)
                .put("maxOfflineSeconds", 0);
        spec.putArray("replicas")
                .addObject()
                .put("region", StackLayout.HOME)
                .put("endpoint", folder.resolve("storage-of-" + name).toUri().toString())
                .put("vouched", true);
        admin.send(RestRequest.put(List.of("v1", "accounts", name), spec)).accepted();
    }

    private static StackControlPlane control(LocalStack stack) {
        return Objects.requireNonNull(stack.controlPlane());
    }

    /** A write, a lookup and a read; each fails the test if it fails. */
    private static void use(KvClient client) {
        TestPrompt prompt = TestPrompt.unique(1);
        byte[] buffer = TestPrompt.bytes(10_000, 1);
        client.write(prompt.partition(), prompt.block(0, buffer));
        assertThat(client.lookup(prompt.partition(), prompt.chain()).cachedBlocks())
                .isEqualTo(1);
        Stacks.assertHolds(client, prompt.chain(), _ -> buffer);
    }

    /** The same under load, and measured. */
    @Test
    @Tag("full")
    void benchControlMeasuresAnOutage() throws Exception {
        Path json = folder.resolve("control.json");

        Kv.KvResult result = Kv.run(
                folder,
                Map.of(),
                List.of(
                        "bench",
                        "control",
                        "--only",
                        "outage",
                        "--outage",
                        Integer.toString(SECONDS),
                        "--json",
                        json.toString()),
                PATIENCE_SECONDS);

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        JsonNode outage = new ObjectMapper().readTree(json.toFile()).get("outage");
        assertThat(outage.get("failed").asLong()).isZero();
        assertThat(outage.get("outageSeconds").asDouble()).isGreaterThanOrEqualTo(SECONDS);
        for (String kind : List.of("lookup", "read", "write")) {
            assertThat(outage.at("/whileGone/" + kind + "/count").asLong())
                    .as(kind)
                    .isGreaterThan(SECONDS);
        }
        assertThat(outage.get("newKeyMillis").asDouble()).isLessThan(5_000);
        assertThat(outage.get("revokedMillis").asDouble()).isLessThan(5_000);
    }
}
