package dev.kvstore.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A pod of a rendered workload, read as a kubelet reads it.
 *
 * @param name of the pod
 * @param spec of the pod
 * @param secrets a folder with a folder for each secret, a file for each key
 * @param volumes a folder for what pods write
 */
record PodManifest(String name, JsonNode spec, Path secrets, Path volumes) {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\(([A-Za-z_][A-Za-z0-9_]*)\\)");

    JsonNode container() {
        return spec.at("/containers/0");
    }

    /**
     * The environment of a container's process.
     *
     * @param links variables of services, which a kubelet adds
     */
    Map<String, String> environment(JsonNode container, Map<String, String> links) throws IOException {
        Map<String, String> environment = new HashMap<>(links);
        for (JsonNode variable : container.path("env")) {
            String value = value(variable, environment);
            if (value != null) {
                environment.put(variable.path("name").asText(), value);
            }
        }
        return environment;
    }

    private @Nullable String value(JsonNode variable, Map<String, String> before) throws IOException {
        JsonNode from = variable.path("valueFrom");
        if (from.isMissingNode()) {
            return expand(variable.path("value").asText(), before);
        }
        if (from.at("/fieldRef/fieldPath").asText().equals("metadata.name")) {
            return name;
        }
        JsonNode reference = from.path("secretKeyRef");
        Path key = secrets.resolve(reference.path("name").asText())
                .resolve(reference.path("key").asText());
        if (!Files.exists(key) && reference.path("optional").asBoolean()) {
            return null;
        }
        return Files.readString(key);
    }

    /** The image's entry point and the manifest's arguments. */
    List<String> command(JsonNode container, OciImage image, Map<String, String> environment) throws IOException {
        List<String> command = new ArrayList<>(image.entrypoint());
        for (JsonNode argument : container.path("args")) {
            command.add(expand(argument.asText(), environment));
        }
        return command;
    }

    private static String expand(String text, Map<String, String> environment) {
        return REFERENCE
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(environment.getOrDefault(found.group(1), found.group())));
    }

    /** The container with the manifest's user and mounts. */
    Container sandbox(JsonNode container, Path root, Path hosts, String network, PodLimits limits) throws Exception {
        JsonNode security = spec.path("securityContext");
        int group = security.path("fsGroup").asInt();
        Container sandbox =
                new Container(root, List.of(), security.path("runAsUser").asInt(), group, name, network, limits);
        sandbox = sandbox.with("read", hosts, "/etc/hosts");
        for (JsonNode mount : container.path("volumeMounts")) {
            String volume = mount.path("name").asText();
            Path source = source(volume, group);
            sandbox = sandbox.with(
                    mount.path("readOnly").asBoolean() ? "read" : "write",
                    source,
                    mount.path("mountPath").asText());
        }
        return sandbox;
    }

    /** A secret's folder as a kubelet lays it out, or an empty one: both of the pod's group. */
    private Path source(String volume, int group) throws Exception {
        Path folder = volumes.resolve(name).resolve(volume);
        if (Files.exists(folder)) {
            return folder;
        }
        Files.createDirectories(folder);
        JsonNode secret = volume(volume).path("secret");
        if (secret.isMissingNode()) {
            run("chgrp", "" + group, folder.toString());
            run("chmod", "2777", folder.toString());
            return folder;
        }
        Path data = Files.createDirectories(folder.resolve("..2026"));
        Path from = secrets.resolve(secret.path("secretName").asText());
        Map<String, String> items = new HashMap<>();
        secret.path("items")
                .forEach(item ->
                        items.put(item.path("key").asText(), item.path("path").asText()));
        try (var keys = Files.list(from)) {
            for (Path key : keys.toList()) {
                String name = key.getFileName().toString();
                String to = items.isEmpty() ? name : items.get(name);
                if (to != null) {
                    Files.copy(key, data.resolve(to));
                    run("chgrp", "" + group, data.resolve(to).toString());
                    run("chmod", mode(secret), data.resolve(to).toString());
                    Files.createSymbolicLink(folder.resolve(to), Path.of("..data", to));
                }
            }
        }
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026"));
        return folder;
    }

    /** YAML's octal numbers are read as such, or as text. */
    private static String mode(JsonNode secret) {
        JsonNode mode = secret.path("defaultMode");
        return mode.isInt() ? Integer.toOctalString(mode.asInt()) : mode.asText("0644");
    }

    private JsonNode volume(String name) {
        for (JsonNode volume : spec.path("volumes")) {
            if (volume.path("name").asText().equals(name)) {
                return volume;
            }
        }
        // A claim's.
        return MissingNode.getInstance();
    }

    private void run(String... command) throws Exception {
        String said = GoTool.run(volumes, Map.of(), List.of(command));
        if (!said.isEmpty()) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
    }
}
