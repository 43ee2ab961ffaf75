package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.client.KvClient;
import dev.kvstore.terraform.check.Terraform;
import dev.kvstore.terraform.check.Workshop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * terraform/examples/one-region, its first stage and then all the rest in one apply: Azure is pretended, the control
 * plane and its provider are real. The account lies in the region of the stack that runs, since the machines of the new
 * one are not there.
 */
class OneApplyIT {
    private static final byte[] BUFFER = TestPrompt.bytes(100_000, 11);
    private static final int NOTHING_TO_DO = 0;
    private static final String JOIN_SECRET = "one-apply-secret".repeat(3);
    private static final Pattern WHOLE_JOIN_TOKEN = Pattern.compile("kvj_[a-z0-9]{12}_");
    private static final String VARIABLES = """
            region             = "one-apply"
            subscription_id    = "00000000-0000-0000-0000-000000000000"
            control_plane_name = "kv-one-apply"
            image_id           = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/galleries/kv/images/node/versions/1.4.0"
            ssh_public_key     = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
            lock               = false
            role_wait_seconds  = 0
            tenants            = { one-apply-owner = {}, one-apply-reader = {} }
            accounts = {
              one-apply-cache = {
                tenant              = "one-apply-owner"
                replicas            = { local = { endpoint = "file://FOLDER", vouched = true } }
                deletion_protection = false
              }
            }
            grants = { "one-apply-cache/reader" = { grantee = "one-apply-reader", access = ["read"] } }
            keys   = { owner = { tenant = "one-apply-owner" }, reader = { tenant = "one-apply-reader" } }
            """;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private KvUp up;
    private Workshop workshop;
    private Path example;

    @BeforeEach
    void prepare() throws Exception {
        assumeTrue(Terraform.isInstalled(), "missing: terraform, of https://developer.hashicorp.com/terraform");
        up = KvUp.shared();
        workshop = Workshop.openPretending();
        assumeTrue(workshop.withoutKvstore() == null, workshop.withoutKvstore());
        example = workshop.copy().root().resolve("terraform/examples/one-region");
        Files.writeString(
                example.resolve("mine.auto.tfvars"),
                VARIABLES.replace("FOLDER", folder.resolve("blocks").toString()));
    }

    @AfterEach
    void close() {
        if (workshop != null) {
            workshop.close();
        }
    }

    @Test
    void aRegionIsMadeRegisteredUsedAndTakenBack() throws Exception {
        good("init");
        // As its README says: first what needs no control plane, of which nothing is reached yet.
        good("apply", "-auto-approve", "-var", "stage=1", "-var", "control_plane_url=http://127.0.0.1:1");
        good("plan", "-out=saved");
        good("apply", "saved");

        noFileHasTheJoinToken();
        assertThat(admin("get", "region", "one-apply")).contains("germanywestcentral");
        assertThat(admin("get", "cluster", "one-apply-a")).contains("*.one-apply.kv.internal:8085-8086");
        JsonNode keys = new ObjectMapper().readTree(good("output", "-json", "keys"));
        writeAndRead(keys.get("owner").asText(), keys.get("reader").asText());
        assertThat(terraform("plan", "-detailed-exitcode").exitCode())
                .as("a second plan has nothing to do")
                .isEqualTo(NOTHING_TO_DO);

        // As the page on day 2 says: no plan deletes the database.
        good("state", "rm", "module.control_plane.azurerm_postgresql_flexible_server.this");
        good("destroy", "-auto-approve");

        assertThat(good("state", "list")).isBlank();
        assertThat(admin("get", "account", "one-apply-cache")).containsPattern("state +deleted");
        assertThat(admin("get", "tenant", "one-apply-owner")).containsPattern("state +deleted");
        assertThat(up.admin("get", "cluster", "one-apply-a").exitCode()).isNotZero();
        assertThat(up.admin("get", "region", "one-apply").exitCode()).isNotZero();
    }

    /** Byte by byte, in what plan and apply have left behind: the saved plan is an archive. */
    private void noFileHasTheJoinToken() throws IOException {
        Map<String, String> contents = new HashMap<>();
        for (String name : List.of("terraform.tfstate", "terraform.tfstate.backup")) {
            contents.put(name, Files.readString(example.resolve(name), ISO_8859_1));
        }
        try (ZipFile saved = new ZipFile(example.resolve("saved").toFile())) {
            for (ZipEntry entry : Collections.list(saved.entries())) {
                contents.put(
                        entry.getName(), new String(saved.getInputStream(entry).readAllBytes(), ISO_8859_1));
            }
        }
        assertThat(contents).containsKeys("tfplan", "tfstate");
        assertThat(contents.get("terraform.tfstate")).contains("kvstore_join_token", "\"secret_wo_version\": 1");
        assertThat(contents).allSatisfy((name, content) -> {
            assertThat(content.contains(JOIN_SECRET)).as(name).isFalse();
            assertThat(WHOLE_JOIN_TOKEN.matcher(content).find()).as(name).isFalse();
        });
    }

    private void writeAndRead(String owner, String reader) {
        TestPrompt prompt = TestPrompt.unique(2);
        try (KvClient writes = client(owner);
                KvClient reads = client(reader)) {
            writes.write(prompt.partition(), prompt.block(0, BUFFER));
            writes.write(prompt.partition(), prompt.block(1, BUFFER));
            Stacks.assertHolds(writes, prompt.chain(), _ -> BUFFER);
            Stacks.assertHolds(reads, prompt.chain(), _ -> BUFFER);
        }
    }

    private KvClient client(String key) {
        return KvClient.builder()
                .controlPlane(up.controlPlane())
                .noRouteCache()
                .resource("one-apply-cache")
                .apiKey(key)
                .build();
    }

    private String admin(String... words) {
        Kv.KvResult result = up.admin(words);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out();
    }

    private String good(String... arguments) throws Exception {
        Terraform.TerraformResult result = terraform(arguments);
        assertThat(result.isGood())
                .as("terraform %s: %s", String.join(" ", arguments), result.said())
                .isTrue();
        return result.said();
    }

    private Terraform.TerraformResult terraform(String... arguments) throws Exception {
        Map<String, String> environment = new HashMap<>(workshop.terraform().environment());
        environment.put("TF_VAR_control_plane_url", up.restUrl());
        environment.put("TF_VAR_admin_token", up.adminToken());
        environment.put("TF_VAR_join_token_secret", JOIN_SECRET);
        environment.put("TF_VAR_database_password", "0123456789abcdef0123456789abcdef");
        environment.put("TF_CLI_ARGS", "-no-color");
        environment.put("TF_INPUT", "0");
        return new Terraform(environment).run(example, List.of(arguments));
    }
}
