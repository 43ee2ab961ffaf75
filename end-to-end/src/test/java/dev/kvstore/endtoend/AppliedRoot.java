package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A configuration beside the examples of a workshop, with a state of its own.
 *
 * @param folder of its {@code main.tf}
 */
record AppliedRoot(Workshop workshop, Path folder) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A region with a control plane, a cluster and monitoring, and variables for what changes. */
    static String dayTwo() throws IOException {
        return Files.readString(Home.current().path().resolve("terraform/testing/day-two.tf"));
    }

    static AppliedRoot of(Workshop workshop, String name, String configuration)
            throws IOException, InterruptedException {
        Path folder = Files.createDirectories(
                workshop.root().resolve("terraform/examples").resolve(name));
        Files.writeString(folder.resolve("main.tf"), configuration);
        AppliedRoot root = new AppliedRoot(workshop, folder);
        root.terraform("init", "-input=false", "-no-color");
        return root;
    }

    void apply(String... variables) throws IOException, InterruptedException {
        terraform(with(List.of("apply", "-auto-approve", "-input=false", "-no-color"), variables));
    }

    /**
     * The changes that a plan has, by address.
     *
     * @param variables as in {@code name=value}
     */
    Map<String, String> planned(String... variables) throws IOException, InterruptedException {
        terraform(with(List.of("plan", "-input=false", "-no-color", "-out=plan"), variables));
        Map<String, String> changes = new TreeMap<>();
        for (JsonNode change : JSON.readTree(terraform("show", "-json", "plan")).path("resource_changes")) {
            List<String> actions = new ArrayList<>();
            change.path("change").path("actions").forEach(action -> actions.add(action.asText()));
            String action = String.join(" and ", actions);
            if (!action.equals("no-op") && !action.equals("read")) {
                changes.put(change.path("address").asText(), action);
            }
        }
        return changes;
    }

    /** The words in which a plan is refused, in one line. */
    String refused(String... variables) throws IOException, InterruptedException {
        return refusedPlan(with(List.of("plan", "-input=false", "-no-color"), variables));
    }

    /** The words in which a plan to destroy all of it is refused, in one line. */
    String refusedDestroy() throws IOException, InterruptedException {
        return refusedPlan("plan", "-destroy", "-input=false", "-no-color");
    }

    private String refusedPlan(String... arguments) throws IOException, InterruptedException {
        Terraform.TerraformResult result = workshop.terraform().run(folder, List.of(arguments));
        assertThat(result.isGood()).as(result.said()).isFalse();
        return result.said().replaceAll("[\\s│]+", " ");
    }

    Path state() {
        return folder.resolve("terraform.tfstate");
    }

    private static String[] with(List<String> command, String... variables) {
        List<String> all = new ArrayList<>(command);
        for (String variable : variables) {
            all.add("-var");
            all.add(variable);
        }
        return all.toArray(String[]::new);
    }

    String terraform(String... arguments) throws IOException, InterruptedException {
        Terraform.TerraformResult result = workshop.terraform().run(folder, List.of(arguments));
        assertThat(result.isGood())
                .as("terraform %s: %s", String.join(" ", arguments), result.said())
                .isTrue();
        return result.said();
    }
}
