package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An example of Terraform that is applied: Azure is pretended, the control plane and its provider are real.
 *
 * @param folder of the example, in a copy
 */
record AppliedExample(KvUp up, Workshop workshop, Path folder) implements AutoCloseable {
    static final String JOIN_SECRET = "applied-example-".repeat(3);

    /** Opens one; a test is skipped where Terraform, or Go for the provider, is missing. */
    static AppliedExample open(String name) throws Exception {
        KvUp up = KvUp.shared();
        Workshop workshop = Workshop.open();
        return new AppliedExample(
                up, workshop, workshop.root().resolve("terraform/examples").resolve(name));
    }

    /** The variables of all later commands. */
    void write(String variables) throws Exception {
        Files.writeString(folder.resolve("mine.auto.tfvars"), variables);
    }

    /** The output of {@code kv admin}; a test fails where it fails. */
    String admin(String... words) {
        Kv.KvResult result = up.admin(words);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out();
    }

    /** The output of Terraform; a test fails where it fails. */
    String good(String... arguments) throws Exception {
        Terraform.TerraformResult result = terraform(arguments);
        assertThat(result.isGood())
                .as("terraform %s: %s", String.join(" ", arguments), result.said())
                .isTrue();
        return result.said();
    }

    /**
     * Plans, and leaves the plan in the file {@code plan}.
     *
     * @return the actions by the address of each resource that they change
     */
    Map<String, String> changes(String... arguments) throws Exception {
        good(Stream.concat(Stream.of("plan", "-out=plan"), Stream.of(arguments)).toArray(String[]::new));
        Map<String, String> changes = new HashMap<>();
        for (JsonNode change :
                new ObjectMapper().readTree(good("show", "-json", "plan")).path("resource_changes")) {
            String actions = change.at("/change/actions").toString();
            if (!actions.equals("[\"no-op\"]") && !actions.equals("[\"read\"]")) {
                changes.put(change.path("address").asText(), actions);
            }
        }
        return changes;
    }

    Terraform.TerraformResult terraform(String... arguments) throws Exception {
        Map<String, String> environment = new HashMap<>(workshop.terraform().environment());
        environment.put("TF_VAR_control_plane_url", up.restUrl());
        environment.put("TF_VAR_admin_token", up.adminToken());
        environment.put("TF_VAR_join_token_secret", JOIN_SECRET);
        environment.put("TF_VAR_database_password", "0123456789abcdef0123456789abcdef");
        environment.put("TF_CLI_ARGS", "-no-color");
        environment.put("TF_INPUT", "0");
        return new Terraform(environment).run(folder, List.of(arguments));
    }

    @Override
    public void close() {
        workshop.close();
    }
}
