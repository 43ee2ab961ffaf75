package dev.kvstore.image;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an image as CycloneDX 1.6 in JSON: the artifacts that the build used, those that jars hold besides
 * (shaded ones), jars that neither names, Java, and the C library. For one thread.
 */
final class Sbom {
    static final String MEDIA_TYPE = "application/vnd.cyclonedx+json";

    /** The components, by their package URLs or names, which sort them. */
    private final Map<String, Map<String, Object>> components = new TreeMap<>();

    private final Map<String, Artifact> byFileName = new TreeMap<>();

    /** @param artifacts of the build */
    Sbom(Collection<Artifact> artifacts) {
        for (Artifact artifact : artifacts) {
            byFileName.put(artifact.fileName(), artifact);
            add(artifact);
        }
    }

    /** Adds the artifacts within a jar, or the jar itself if nothing names its content. */
    void add(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            List<JarEntry> poms = file.stream()
                    .filter(entry -> entry.getName().matches("META-INF/maven/[^/]+/[^/]+/pom\\.properties"))
                    .toList();
            for (JarEntry pom : poms) {
                addIfNew(read(file, pom));
            }
            String name = String.valueOf(jar.getFileName());
            if (poms.isEmpty() && !byFileName.containsKey(name)) {
                components.put("jar " + name, component("library", name, version(file)));
            }
        }
    }

    /** Adds parts that are no Maven artifacts. */
    void add(String type, String name, String version) {
        components.put(type + " " + name, component(type, name, version));
    }

    /** @param type of the whole, as CycloneDX has them */
    byte[] json(String type, String name, String version) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("bomFormat", "CycloneDX");
        document.put("specVersion", "1.6");
        document.put("version", 1);
        document.put("metadata", Map.of("component", component(type, name, version)));
        document.put("components", new ArrayList<>(components.values()));
        return new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .writeValueAsBytes(document);
    }

    private static Artifact read(JarFile jar, JarEntry entry) throws IOException {
        Properties pom = new Properties();
        try (InputStream in = jar.getInputStream(entry)) {
            pom.load(in);
        }
        return new Artifact(
                pom.getProperty("groupId", ""), pom.getProperty("artifactId", ""), "", pom.getProperty("version", ""));
    }

    /** A jar does not know its classifier. */
    private void addIfNew(Artifact artifact) {
        String purl = artifact.plainPurl();
        if (components.keySet().stream().noneMatch(known -> known.equals(purl) || known.startsWith(purl + "?"))) {
            add(artifact);
        }
    }

    private void add(Artifact artifact) {
        Map<String, Object> component = component("library", artifact.name(), artifact.version());
        component.put("group", artifact.group());
        component.put("purl", artifact.purl());
        component.put("bom-ref", artifact.purl());
        components.put(artifact.purl(), component);
    }

    private static String version(JarFile jar) throws IOException {
        if (jar.getManifest() == null) {
            return "";
        }
        Attributes said = jar.getManifest().getMainAttributes();
        @Nullable String version = said.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
        if (version == null) {
            version = said.getValue("Bundle-Version");
        }
        return version == null ? "" : version;
    }

    /** @param version empty where nobody says it */
    private static Map<String, Object> component(String type, String name, String version) {
        Map<String, Object> component = new LinkedHashMap<>();
        component.put("type", type);
        component.put("name", name);
        if (!version.isEmpty()) {
            component.put("version", version);
        }
        return component;
    }
}
