package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.process.Ports;
import dev.kvstore.launcher.stack.LocalDatabase;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A control plane starts with what a machine of the Terraform module control-plane writes down at its first start. */
class ControlPlaneTemplateIT {
    private static final Path HOME = Home.current().path();
    private static final Path TEMPLATE =
            HOME.resolve("terraform/modules/control-plane/templates/cloud-init.yaml.tftpl");
    private static final String DATABASE =
            "jdbc:postgresql://db.example.com/kvstore?sslmode=verify-full&sslrootcert=/etc/ssl/certs/ca-certificates.crt";
    private static final String ADMIN = "kva_of-no-value-at-all";
    private static final int READY = 200;
    private static final int UNAUTHENTICATED = 401;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private JsonNode cloudInit;

    @BeforeEach
    void render() throws Exception {
        TerraformConsole.require();
        String rendered = TerraformConsole.text(
                folder,
                "templatefile(\"" + TEMPLATE + "\", {jdbc_url = \"" + DATABASE
                        + "\", user = \"kvstore\", vault_uri = \"https://kv.vault.azure.net\""
                        + ", identity_client_id = \"00000000-0000-0000-0000-000000000000\", certificate = \"kv-control\""
                        + ", environment_secret = \"control-plane-env\", settings = {KVSTORE_OPEN_METRICS = \"true\"}, metrics = \"global: {}\"})");
        cloudInit = new ObjectMapper(new YAMLFactory()).readTree(rendered);
    }

    @Test
    void aReplicaServesWithItsFlagsAndAPemOfAKeyVault() throws Exception {
        Map<String, String> environment = variables("/etc/kv/control-plane.env");
        List<String> arguments = new ArrayList<>(List.of("control-plane"));
        String flags = environment.getOrDefault("KV_CONTROL_PLANE_FLAGS", "");
        environment.remove("KV_CONTROL_PLANE_FLAGS");
        arguments.addAll(List.of(flags.split(" ")));
        // A database of the test's own.
        assertThat(arguments).containsSequence("--jdbc-url", DATABASE);
        LocalDatabase database = LocalDatabase.start(Home.current(), folder.resolve("data"), new SecureRandom());
        arguments.replaceAll(argument -> argument.equals(DATABASE) ? database.url() : argument);
        environment.put("KVSTORE_DB_USER", LocalDatabase.USER);
        environment.put("KVSTORE_DB_PASSWORD", database.password());
        int port = Ports.free(new Random(), 2, 0);
        arguments.addAll(List.of("--http-port", "" + port, "--port", "" + (port + 1)));
        arguments.replaceAll(argument -> argument.replace("/run/kv-secrets", folder.toString()));
        TestAuthority authority = new TestAuthority(folder, "authority");
        Issued own = authority.issue("control-plane");
        Files.writeString(folder.resolve("tls.pem"), Files.readString(own.key()) + Files.readString(own.chain()));
        environment.put("KVSTORE_ADMIN_TOKEN", ADMIN);

        Path said = folder.resolve("said");
        Process replica = Kv.start(folder, environment, arguments, folder.resolve("out"), said);
        try {
            Https https = Https.trusting(authority.certificate());
            URI rest = URI.create("https://localhost:" + port);
            await().atMost(Patience.LIMIT)
                    .until(() -> https.status("GET", rest.resolve("/q/health/ready")) == READY || !replica.isAlive());
            assertThat(replica.isAlive()).as(Files.readString(said)).isTrue();
            assertThat(https.status("GET", rest.resolve("/v1/regions")))
                    .as("who shows no token")
                    .isEqualTo(UNAUTHENTICATED);
        } finally {
            List<ProcessHandle> children = replica.descendants().toList();
            replica.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
            database.close();
        }
    }

    @Test
    void theUnitsThatItCopiesAreThere() {
        List<String> copied = new ArrayList<>();
        for (JsonNode command : cloudInit.path("runcmd")) {
            command.forEach(word -> {
                if (word.asText().startsWith("/opt/kv/")) {
                    copied.add(word.asText());
                }
            });
        }

        assertThat(copied)
                .hasSize(3)
                .allSatisfy(file -> assertThat(HOME.resolve(file.substring("/opt/kv/".length())))
                        .exists());
    }

    @Test
    void secretsAreWrittenWhereTheUnitReadsThem() throws Exception {
        String flags = variables("/etc/kv/secrets.env").get("KV_SECRETS_FLAGS");
        String unit = Files.readString(HOME.resolve("deploy/machine/kv-secrets.service"));

        assertThat(flags).contains("--file control-plane-env=/run/kv-secrets/control-plane.env");
        assertThat(file("/etc/systemd/system/kv-control-plane.service.d/secrets.conf"))
                .contains("EnvironmentFile=/run/kv-secrets/control-plane.env", "After=kv-secrets.service");
        assertThat(unit).contains("EnvironmentFile=/etc/kv/secrets.env", "RuntimeDirectory=kv-secrets");
    }

    private Map<String, String> variables(String path) {
        Map<String, String> variables = new HashMap<>();
        file(path).lines().filter(line -> !line.isBlank()).forEach(line -> {
            String[] parts = line.split("=", 2);
            variables.put(parts[0], parts[1]);
        });
        return variables;
    }

    private String file(String path) {
        for (JsonNode file : cloudInit.path("write_files")) {
            if (file.path("path").asText().equals(path)) {
                return file.path("content").asText();
            }
        }
        throw new AssertionError("no file " + path + " in " + cloudInit);
    }
}
