package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.client.KvClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
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

    private AppliedExample example;

    @BeforeEach
    void prepare() throws Exception {
        example = AppliedExample.open("one-region");
        example.write(VARIABLES.replace("FOLDER", folder.resolve("blocks").toString()));
    }

    @AfterEach
    void close() {
        if (example != null) {
            example.close();
        }
    }

    @Test
    void aRegionIsMadeRegisteredUsedAndTakenBack() throws Exception {
        example.good("init");
        // As its README says: first what needs no control plane, of which nothing is reached yet.
        example.good("apply", "-auto-approve", "-var", "stage=1", "-var", "control_plane_url=http://127.0.0.1:1");
        example.good("plan", "-out=saved");
        example.good("apply", "saved");

        noFileHasTheJoinToken();
        JsonNode state = new ObjectMapper().readTree(example.good("show", "-json"));
        AzureState azure = new AzureState(state);
        assertThat(MachineNames.unreached(azure))
                .as("names that lead machines nowhere")
                .isEmpty();
        namesThatLeadNowhereAreFound(state);
        assertThat(MonitorWay.missing(azure))
                .as("what keeps machines from Azure Monitor")
                .isEmpty();
        assertThat(example.admin("get", "region", "one-apply")).contains("germanywestcentral");
        assertThat(example.admin("get", "cluster", "one-apply-a")).contains("*.one-apply.kv.internal:8085-8086");
        JsonNode keys = new ObjectMapper().readTree(example.good("output", "-json", "keys"));
        writeAndRead(keys.get("owner").asText(), keys.get("reader").asText());
        assertThat(example.terraform("plan", "-detailed-exitcode").exitCode())
                .as("a second plan has nothing to do")
                .isEqualTo(NOTHING_TO_DO);

        // As the page on day 2 says: no plan deletes the database.
        example.good("state", "rm", "module.control_plane.azurerm_postgresql_flexible_server.this");
        example.good("destroy", "-auto-approve");

        assertThat(example.good("state", "list")).isBlank();
        assertThat(example.admin("get", "account", "one-apply-cache")).containsPattern("state +deleted");
        assertThat(example.admin("get", "tenant", "one-apply-owner")).containsPattern("state +deleted");
        assertThat(example.up().admin("get", "cluster", "one-apply-a").exitCode())
                .isNotZero();
        assertThat(example.up().admin("get", "region", "one-apply").exitCode()).isNotZero();
    }

    private static void namesThatLeadNowhereAreFound(JsonNode state) {
        assertThat(MachineNames.unreached(without(state, "azurerm_private_endpoint")))
                .contains("vmss-one-apply-a: no private endpoint has the name kv-one-apply-kv.vault.azure.net in the"
                        + " zone of its network");
        assertThat(MachineNames.unreached(without(state, "azurerm_private_dns_a_record")))
                .contains("vmss-one-apply-a: control.one-apply.kv.internal has no address");
        assertThat(MachineNames.unreached(without(state, "azurerm_lb_rule")))
                .contains("vmss-one-apply-a: no balancer at the address of control.one-apply.kv.internal takes port"
                        + " 9090");
        assertThat(MachineNames.unreached(without(state, "azurerm_private_dns_zone_virtual_network_link")))
                .contains(
                        "vmss-one-apply-a: its network has no zone privatelink.vaultcore.azure.net",
                        "vmss-one-apply-a: no zone of its network registers its name in one-apply.kv.internal");
        // Rules that deny are left.
        JsonNode closed = state.deepCopy();
        forEach(closed, "azurerm_network_security_rule", (values, _) -> values.put("access", "Deny"));
        assertThat(MachineNames.unreached(new AzureState(closed)))
                .contains(
                        "vmss-one-apply-a: a rule of its subnet keeps it from the key vault",
                        "vmss-one-apply-a: a rule of the subnet of the key vault keeps it away",
                        "vmss-one-apply-a: a rule of the subnet of control.one-apply.kv.internal keeps it away");
    }

    private static AzureState without(JsonNode state, String type) {
        JsonNode copy = state.deepCopy();
        forEach(copy, type, (_, resource) -> resource.put("type", "gone"));
        return new AzureState(copy);
    }

    /** Does something to the values of each resource of a type, and to the resource. */
    private static void forEach(JsonNode state, String type, BiConsumer<ObjectNode, ObjectNode> deed) {
        for (JsonNode resource : state.findParents("type")) {
            if (resource.path("type").asText().equals(type) && resource.path("values") instanceof ObjectNode values) {
                deed.accept(values, (ObjectNode) resource);
            }
        }
    }

    /** Byte by byte, in what plan and apply have left behind: the saved plan is an archive. */
    private void noFileHasTheJoinToken() throws IOException {
        Map<String, String> contents = new HashMap<>();
        for (String name : List.of("terraform.tfstate", "terraform.tfstate.backup")) {
            contents.put(name, Files.readString(example.folder().resolve(name), ISO_8859_1));
        }
        try (ZipFile saved = new ZipFile(example.folder().resolve("saved").toFile())) {
            for (ZipEntry entry : Collections.list(saved.entries())) {
                contents.put(
                        entry.getName(), new String(saved.getInputStream(entry).readAllBytes(), ISO_8859_1));
            }
        }
        assertThat(contents).containsKeys("tfplan", "tfstate");
        assertThat(contents.get("terraform.tfstate")).contains("kvstore_join_token", "\"secret_wo_version\": 1");
        assertThat(contents).allSatisfy((name, content) -> {
            assertThat(content.contains(AppliedExample.JOIN_SECRET)).as(name).isFalse();
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
                .controlPlane(example.up().controlPlane())
                .noRouteCache()
                .resource("one-apply-cache")
                .apiKey(key)
                .build();
    }
}
