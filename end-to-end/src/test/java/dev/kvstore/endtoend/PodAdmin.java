package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.testing.SharedAzurite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code kv admin} from its image, as the job that the chart renders runs it. For one thread. */
final class PodAdmin {
    private final JsonNode job;
    private final Path secrets;
    private final OciImage image;
    private final Path hosts;
    private final String network;
    private final Path folder;
    private int commands;

    /**
     * @param hosts of the pods
     * @param network of the job's pods
     * @param folder for what they say
     */
    PodAdmin(String rendered, Path secrets, OciImage image, Path hosts, String network, Path folder)
            throws IOException {
        this.job = Chart.object(rendered, "Job", "").at("/spec/template/spec");
        this.secrets = secrets;
        this.image = image;
        this.hosts = hosts;
        this.network = network;
        this.folder = folder;
    }

    /** Registers region and cluster: what the job is for. */
    void registerCluster() throws Exception {
        for (String part : List.of("/initContainers/0", "/containers/0")) {
            assertThat(run(job.at(part), List.of())).as(part).doesNotContain("exit code");
        }
    }

    /** Registers a tenant with an account, whose blocks lie in a container of its own. */
    void registerAccount(String storage) throws Exception {
        run("put", "tenant", "acme");
        run(
                "put",
                "account",
                "demo",
                "tenant=acme",
                "homeRegion=local",
                "region=local",
                "endpoint=" + storage,
                "container=" + SharedAzurite.newContainerName(),
                "credential=file:/etc/kvstore/credentials/storage",
                "createContainer=true",
                "vouched=true");
    }

    /** Whether a data plane has found the account's storage good. */
    boolean isReady() throws Exception {
        return new ObjectMapper()
                .readTree(run("get", "account", "demo", "--json"))
                .path("ready")
                .asBoolean();
    }

    /** A new key of the tenant. */
    String newKey() throws Exception {
        return new ObjectMapper()
                .readTree(run("create", "key", "--tenant", "acme", "--json"))
                .path("key")
                .asText();
    }

    /** Words of an admin, in place of the job's own; the answer. */
    private String run(String... words) throws Exception {
        String said = run(job.at("/containers/0"), List.of(words));
        assertThat(said).doesNotContain("exit code");
        return said;
    }

    private String run(JsonNode container, List<String> words) throws Exception {
        String name = "admin-" + ++commands;
        PodManifest manifest = new PodManifest(name, job, secrets, folder.resolve("volumes"));
        Map<String, String> environment = manifest.environment(container, PodCluster.LINKS);
        List<String> command = new ArrayList<>(manifest.command(container, image, environment));
        if (!words.isEmpty()) {
            List<String> own = command.subList(command.indexOf("admin") + 1, command.indexOf("--url"));
            own.clear();
            own.addAll(words);
        }
        Path log = folder.resolve(name + ".log");
        try (PodLimits limits = PodLimits.of(network + "-" + name, container.at("/resources/limits"))) {
            Process process = manifest.sandbox(container, image.root(), hosts, network, limits)
                    .start(environment, command, log);
            int code = process.waitFor();
            return Files.readString(log) + (code == 0 ? "" : "exit code " + code);
        }
    }
}
