package dev.kvstore.image;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The parts of an image as CycloneDX 1.6 in JSON: the artifacts that the build used, further (shaded) artifacts within
 * jars, jars that neither covers, Java, and the C library. One thread uses it.
 */
final class Sbom {
    static final String MEDIA_TYPE = "application/vnd.cyclonedx+json";

    /**
     * The form of an artifact in the output of {@code mvn dependency:list}: group, name, type, perhaps a classifier,
     * version, scope.
     */
    private static final Pattern ARTIFACT = Pattern.compile(
            "^\\s+([\\w.-]+):([\\w.-]+):jar(?::([\\w.-]+))?:([\\w.+-]+):(?:compile|runtime)\\b", Pattern.MULTILINE);

    /** The components, by their package URLs or names, which sort them. */
    private final Map<String, Component> components = new TreeMap<>();

    /** The names of the artifacts' files. */
    private final Set<String> files = new HashSet<>();

    /**
     * Adds the artifacts that a module's build found for its run, except those that no image has.
     *
     * @param list the file that the build left
     * @throws LaunchException if the file is missing or has no artifact
     */
    void addArtifacts(Path list) throws IOException {
        List<MatchResult> lines = Files.exists(list)
                ? ARTIFACT.matcher(Files.readString(list)).results().toList()
                : List.of();
        if (lines.isEmpty()) {
            throw new LaunchException(list + " is missing or names no artifact: build again, with ./kv or mvn package");
        }
        for (MatchResult line : lines) {
            String name = line.group(2);
            String version = line.group(4);
            boolean classified = line.group(3) != null;
            if (!line.group(1).equals(ProgramJar.LEFT_OUT_GROUP)) {
                String purl = purl(line.group(1), name, version) + (classified ? "?classifier=" + line.group(3) : "");
                components.put(purl, new Component(purl, line.group(1), name, purl, "library", version));
                files.add(name + "-" + version + (classified ? "-" + line.group(3) : "") + ".jar");
            }
        }
    }

    /** Adds the new artifacts within a jar, or the jar itself if no artifact covers its content. */
    void addJar(Path jar) throws IOException {
        boolean named = files.contains("" + jar.getFileName());
        try (JarFile file = new JarFile(jar.toFile())) {
            for (JarEntry entry : file.stream().toList()) {
                if (entry.getName().matches("META-INF/maven/[^/]+/[^/]+/pom\\.properties")) {
                    Properties pom = new Properties();
                    try (InputStream in = file.getInputStream(entry)) {
                        pom.load(in);
                    }
                    addIfNew(
                            pom.getProperty("groupId", ""),
                            pom.getProperty("artifactId", ""),
                            pom.getProperty("version", ""));
                    named = true;
                }
            }
        }
        if (!named) {
            addPart("library", "" + jar.getFileName(), "");
        }
    }

    /** Adds an artifact without a classifier, which a jar does not know, unless one with this name was added. */
    private void addIfNew(String group, String name, String version) {
        String purl = purl(group, name, version);
        if (components.keySet().stream().noneMatch(known -> known.equals(purl) || known.startsWith(purl + "?"))) {
            components.put(purl, new Component(purl, group, name, purl, "library", version));
        }
    }

    /**
     * Adds a part that is no Maven artifact.
     *
     * @param version empty if it is not known
     */
    void addPart(String type, String name, String version) {
        components.put(type + " " + name, new Component("", "", name, "", type, version));
    }

    /** @param type the type of the whole, in the words of CycloneDX */
    byte[] json(String type, String name, String version) throws IOException {
        Map<String, Component> whole = Map.of("component", new Component("", "", name, "", type, version));
        return new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .writeValueAsBytes(Map.of(
                        "bomFormat",
                        "CycloneDX",
                        "specVersion",
                        "1.6",
                        "version",
                        1,
                        "metadata",
                        whole,
                        "components",
                        components.values()));
    }

    private static String purl(String group, String name, String version) {
        return "pkg:maven/" + group + "/" + name + "@" + version;
    }

    /**
     * @param reference the package URL as well, by which vulnerability databases know an artifact; both are empty for
     *     other parts
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record Component(
            @JsonProperty("bom-ref") String reference,
            String group,
            String name,
            String purl,
            String type,
            String version) {}
}
