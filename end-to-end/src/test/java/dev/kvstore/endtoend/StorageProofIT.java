package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.TokenIssuer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tenant's admin brings the tenant's own storage, shows by the proof that it is the tenant's, and uses it: nobody of
 * the platform vouches for it.
 */
class StorageProofIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final byte[] BUFFER = TestPrompt.bytes(100_000, 17);
    private static final String TERRAFORM = """
            terraform {
              required_providers {
                kvstore = { source = "kvstore.dev/kvstore/kvstore" }
              }
            }

            provider "kvstore" {}

            resource "kvstore_account" "this" {
              name        = "by-terraform"
              tenant      = "terraformer"
              home_region = "REGION"
              replicas    = { "REGION" = { endpoint = "ENDPOINT", container = "by-terraform", credential = "managed-identity" } }

              deletion_protection = false
            }

            resource "kvstore_account_ready" "this" {
              account  = kvstore_account.this.name
              timeouts = { create = "2m" }
            }

            resource "kvstore_key" "this" {
              tenant = "terraformer"
              label  = "engines"
            }

            output "proof" {
              value = kvstore_account.this.proofs["REGION"]
            }

            output "key" {
              value     = kvstore_key.this.key
              sensitive = true
            }
            """;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private static CustomerStorage storage;
    private static TokenIssuer issuer;
    private static LocalStack stack;
    private static StackControlPlane controlPlane;

    @BeforeAll
    static void start() throws Exception {
        storage = CustomerStorage.start(folder);
        issuer = TokenIssuer.start();
        Map<Program, List<String>> jvm = new HashMap<>(storage.jvm());
        jvm.put(Program.CONTROL_PLANE, List.of("-Dkvstore.oidc.enabled=true", "-Dkvstore.oidc.issuer=" + issuer.url()));
        StackOptions options = StackOptions.onFreePorts(Home.current(), folder.resolve("stack"))
                .withDataPlanes(1)
                .withControlPlane(ControlPorts.FREE)
                .withJvm(jvm)
                .withSettings(storage.settings());
        stack = LocalStack.start(options, new SecureRandom());
        controlPlane = Objects.requireNonNull(stack.controlPlane());
    }

    @AfterAll
    static void stop() {
        if (stack != null) {
            stack.close();
        }
        if (issuer != null) {
            issuer.close();
        }
        if (storage != null) {
            storage.close();
        }
    }

    /** A token of an admin of this tenant alone, which a platform's admin makes. */
    private static String adminOf(String tenant) throws Exception {
        try (AdminClient platform = controlPlane.admin()) {
            var _ = platform.send(RestRequest.put(List.of("v1", "tenants", tenant), JSON.createObjectNode()))
                    .accepted();
        }
        return issuer.token(List.of("tenant-admin"), tenant);
    }

    private static String done(String token, String... words) throws Exception {
        Map<String, String> environment =
                Map.of("KVSTORE_URL", controlPlane.restUrl().toString(), "KVSTORE_ADMIN_TOKEN", token);
        Kv.KvResult result = Kv.run(folder, environment, command(words));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out();
    }

    private static List<String> command(String... words) {
        String[] command = new String[words.length + 1];
        command[0] = "admin";
        System.arraycopy(words, 0, command, 1, words.length);
        return List.of(command);
    }

    private static JsonNode account(String token, String name) throws Exception {
        return JSON.readTree(done(token, "get", "account", name, "--json"));
    }

    private static void assertUsable(String account, String key) {
        TestPrompt prompt = TestPrompt.unique(1);
        try (KvClient client = KvClient.builder()
                .endpoints(stack.endpoints().getFirst())
                .resource(account)
                .apiKey(key)
                .build()) {
            client.write(prompt.partition(), prompt.block(0, BUFFER));
            Stacks.assertHolds(client, prompt.chain(), _ -> BUFFER);
        }
    }

    @Test
    void aContainerIsTheTenantsOnceItHoldsTheProofAndThenServes() throws Exception {
        String token = adminOf("owner");
        storage.makeContainer("by-hand");
        done(
                token,
                "put",
                "account",
                "by-hand",
                "region=" + StackLayout.HOME,
                "endpoint=" + storage.endpoint(),
                "container=by-hand",
                "credential=managed-identity");
        JsonNode replica = account(token, "by-hand").at("/replicas/0");
        String blob = replica.at("/proof/blob").asText();

        storage.putBlob("by-hand", blob, "something else");
        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(account(token, "by-hand")
                                .at("/replicas/0/state")
                                .asText())
                        .isEqualTo("failing"));
        assertThat(account(token, "by-hand").at("/replicas/0/report").toString())
                .contains("the proof could not be read");

        storage.putBlob("by-hand", blob, replica.at("/proof/content").asText() + "\n");
        done(token, "probe", "account", "by-hand");
        await().atMost(Patience.LIMIT)
                .untilAsserted(
                        () -> assertThat(account(token, "by-hand").path("ready").asBoolean())
                                .as(account(token, "by-hand").toString())
                                .isTrue());
        JsonNode made = JSON.readTree(done(token, "create", "key", "--tenant", "owner", "--json"));
        assertUsable("by-hand", made.path("key").asText());
    }

    @Test
    void theSameByTerraform() throws Exception {
        try (Workshop workshop = Workshop.open()) {
            Path module = Files.createDirectories(folder.resolve("terraform"));
            Files.writeString(
                    module.resolve("main.tf"),
                    TERRAFORM
                            .replace("REGION", StackLayout.HOME)
                            .replace("ENDPOINT", storage.endpoint().toString()));
            Map<String, String> environment = new HashMap<>(workshop.terraform().environment());
            environment.put("KVSTORE_URL", controlPlane.restUrl().toString());
            environment.put("KVSTORE_ADMIN_TOKEN", adminOf("terraformer"));
            environment.put("TF_CLI_ARGS", "-no-color");
            environment.put("TF_INPUT", "0");
            Terraform terraform = new Terraform(environment);
            storage.makeContainer("by-terraform");
            good(terraform, module, "init");
            good(terraform, module, "apply", "-auto-approve", "-target=kvstore_account.this");
            JsonNode proof = JSON.readTree(good(terraform, module, "output", "-json", "proof"));

            storage.putBlob(
                    "by-terraform",
                    proof.path("blob").asText(),
                    proof.path("content").asText());
            good(terraform, module, "apply", "-auto-approve");

            assertUsable(
                    "by-terraform",
                    JSON.readTree(good(terraform, module, "output", "-json", "key"))
                            .asText());
        }
    }

    private static String good(Terraform terraform, Path module, String... arguments) throws Exception {
        Terraform.TerraformResult result = terraform.run(module, List.of(arguments));
        assertThat(result.isGood()).as(result.said()).isTrue();
        return result.said();
    }
}
