package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.client.KvClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** {@code kv admin} against a running {@code kv up}. */
class KvAdminIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private final KvUp up = KvUp.shared();

    /** From the script, as its user runs it. */
    private Kv.KvResult script(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("admin"));
        words.addAll(List.of(arguments));
        return Kv.run(folder, Map.of("KVSTORE_URL", up.restUrl(), "KVSTORE_ADMIN_TOKEN", up.adminToken()), words);
    }

    private String done(String... arguments) {
        Kv.KvResult result = up.admin(arguments);
        assertThat(result.exitCode())
                .as(String.join(" ", arguments) + "\n" + result.err())
                .isZero();
        return result.out();
    }

    private HttpResponse<String> get(String path, String token) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(up.restUrl() + path))
                .header("Authorization", "Bearer " + token)
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void theScriptTakesTheAddressAndTheTokenFromTheEnvironment() throws Exception {
        Kv.KvResult tenants = script("get", "tenants");
        Kv.KvResult missing = script("get", "tenant", "nobody");

        assertThat(tenants.exitCode()).as(tenants.err()).isZero();
        assertThat(tenants.out().lines().filter(line -> line.startsWith("local ")))
                .hasSize(1);
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err().lines()).singleElement().asString().contains("nobody");
    }

    @Test
    void upHasRegisteredItsTenantAsAnAdminWould() throws Exception {
        JsonNode account = JSON.readTree(
                get("/v1/accounts/" + up.resourceName(), up.adminToken()).body());

        assertThat(account.path("tenant").asText()).isEqualTo("local");
        assertThat(account.path("ready").asBoolean()).as(account.toString()).isTrue();
        assertThat(done("get", "tenants").lines().filter(line -> line.startsWith("local ")))
                .hasSize(1);
        assertThat(done("get", "processes", "--cluster", "local")).contains(up.endpoints());
        assertThat(done("get", "audit", "--tenant", "local")).contains("local-admin", "tenant", "account", "key");
    }

    @Test
    void tokensAreInFilesOfTheirOwner() throws Exception {
        for (String file : new String[] {"admin-token", "join-token", "api-key"}) {
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(up.data().resolve(file))))
                    .isEqualTo("rw-------");
        }
        assertThat(up.data().resolve("admin-token")).hasContent(up.adminToken());
        assertThat(get("/v1/tenants", "kva_" + "x".repeat(43)).statusCode()).isEqualTo(401);
    }

    @Test
    void anUpThatCannotStartLeavesTheFileOfTheOneThatRuns() throws Exception {
        String port = up.endpoints().getFirst().replaceFirst(".*:", "");

        Kv.KvResult result = Kv.run(
                folder,
                Map.of(),
                List.of(
                        "up",
                        "--port",
                        port,
                        "--rest-port",
                        "0",
                        "--control-port",
                        "0",
                        "--data",
                        folder + "/other",
                        "--json",
                        up.json().toString()));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("port " + port + " of 127.0.0.1 is taken");
        assertThat(JSON.readTree(up.json().toFile())).isEqualTo(up.report());
    }

    /** The cluster and the account of the stack go on serving. */
    @Test
    void oneFieldIsChangedAndAllOthersStay() throws Exception {
        Path file = folder.resolve("account.json");
        String resource = up.resourceName();

        assertThat(done("set", "cluster", "local", "addresses=*")).containsPattern("state +active");
        assertThat(done("set", "account", resource, "maxOfflineSeconds=300"))
                .containsPattern("maxOfflineSeconds +300")
                .containsPattern("ready +true")
                .containsPattern("vouched +true");
        done("get", "account", resource, "--json", file.toString());
        assertThat(done("put", "account", resource, "--file", file.toString(), "maxOfflineSeconds=600"))
                .containsPattern("maxOfflineSeconds +600")
                .containsPattern("ready +true");
        assertThat(done("set", "account", resource, "--unset", "maxOfflineSeconds"))
                .containsPattern("maxOfflineSeconds +86400");
    }

    @Test
    void theStorageOfAReadyAccountIsTriedWhenItsAdminAsks() {
        assertThat(done("probe", "account", up.resourceName()))
                .containsPattern("local +delete +true")
                .contains("local: the trial succeeded");
    }

    @Test
    void aWholePlatformIsSetUpShownAndTakenDown() throws Exception {
        done("put", "region", "eu-1", "displayName=Europe");
        done("put", "region", "us-1");
        done("put", "round-trip", "us-1", "--region", "eu-1", "micros=80000");
        done("put", "cluster", "eu-1-a", "region=eu-1", "state=active");
        done("put", "process", "p0", "--cluster", "eu-1-a", "address=10.0.0.4:8085", "numaNode=0");
        done("put", "tenant", "platform", "displayName=Platform");
        done("put", "tenant", "models");
        String storage =
                Files.createDirectories(folder.resolve("platform")).toUri().toString();
        done(
                "put",
                "account",
                "platform-prod",
                "tenant=platform",
                "region=eu-1",
                "endpoint=" + storage,
                "vouched=true");
        done("put", "limits", "platform-prod", "operations=10", "bytesPerSecond=1000000");
        done("put", "grant", "reader", "--account", "platform-prod", "grantee=models", "access=read");
        done("put", "placement", "eu-1", "--account", "platform-prod", "cluster=eu-1-a", "pinned=true");

        assertThat(done("get", "region", "eu-1")).containsPattern("displayName +Europe");
        assertThat(done("get", "round-trips", "--region", "us-1")).contains("eu-1", "80000");
        assertThat(done("get", "clusters", "--region", "eu-1")).contains("eu-1-a", "active");
        assertThat(done("get", "process", "p0", "--cluster", "eu-1-a")).contains("10.0.0.4:8085");
        assertThat(done("get", "accounts", "--tenant", "platform")).contains("platform-prod");
        assertThat(done("get", "account", "platform-prod")).containsPattern("limits.operations +10");
        assertThat(done("get", "grants", "--tenant", "models")).contains("platform-prod", "read");
        assertThat(done("get", "placement", "eu-1", "--account", "platform-prod"))
                .containsPattern("pinned +true");
        assertThat(done("probe", "account", "platform-prod")).contains("the trial succeeded");

        done("delete", "placement", "eu-1", "--account", "platform-prod");
        done("delete", "grant", "reader", "--account", "platform-prod");
        done("delete", "account", "platform-prod");
        done("delete", "process", "p0", "--cluster", "eu-1-a");
        done("delete", "cluster", "eu-1-a");
        assertThat(done("get", "grants", "--account", "platform-prod")).isEqualTo("no grants\n");
        assertThat(done("get", "account", "platform-prod")).containsPattern("state +deleted");
    }

    @Test
    void aKeyIsMadeRotatedAndRevoked() throws Exception {
        Path file = folder.resolve("key.json");
        done("create", "key", "--tenant", "local", "--label", "of a test", "--json", file.toString());
        JsonNode made = JSON.readTree(file.toFile());
        write(made.path("key").asText());

        JsonNode next = JSON.readTree(
                done("rotate", "key", made.path("id").asText(), "--tenant", "local", "--overlap", "3600", "--json"));
        write(made.path("key").asText());
        write(next.path("key").asText());
        done("delete", "key", next.path("id").asText(), "--tenant", "local");

        assertThat(done("get", "keys", "--tenant", "local"))
                .contains("of a test", made.path("id").asText());
        assertThat(done("get", "key", next.path("id").asText(), "--tenant", "local"))
                .containsPattern("revokedAt +2");
    }

    private void write(String key) {
        TestPrompt prompt = TestPrompt.unique(1);
        byte[] buffer = TestPrompt.bytes(10_000, 1);
        try (KvClient client = KvClient.builder()
                .endpoints(up.endpoints().getFirst())
                .resource(up.resourceName())
                .apiKey(key)
                .build()) {
            client.write(prompt.partition(), prompt.block(0, buffer));
            Stacks.assertHolds(client, prompt.chain(), _ -> buffer);
        }
    }

    @Test
    void theLoserOfARaceIsTold() throws Exception {
        done("put", "tenant", "raced", "--if-absent");
        String version = JSON.readTree(done("get", "tenant", "raced", "--json"))
                .path("version")
                .asText();
        done("put", "tenant", "raced", "displayName=First", "--if-match", version);

        Kv.KvResult second = up.admin("put", "tenant", "raced", "displayName=Second", "--if-match", version);

        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.err().lines()).singleElement().asString().contains("Changed meanwhile");
        assertThat(up.admin("put", "tenant", "raced", "--if-absent").exitCode()).isEqualTo(1);
    }

    @Test
    void whatIsWrongIsSaidInALine() throws Exception {
        Kv.KvResult field = up.admin("put", "account", "x", "tenant=local", "region=nowhere", "endpoint=file:///x");
        Kv.KvResult missing = up.admin("get", "tenant", "nobody");

        assertThat(field.exitCode()).isEqualTo(1);
        assertThat(field.err().lines()).singleElement().asString().contains("replicas[0].region");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err().lines()).singleElement().asString().contains("nobody");
    }
}
