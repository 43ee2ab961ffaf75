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
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The parts of an image as CycloneDX 1.6 in JSON: what each jar says of the Maven artifacts in it, and Java. Stateless. */
final class Sbom {
    static final String MEDIA_TYPE = "application/vnd.cyclonedx+json";

    private Sbom() {}

    static byte[] of(ImageKind kind, String version, String java, Collection<Path> jars) throws IOException {
        Map<String, Map<String, Object>> components = new TreeMap<>();
        for (Path jar : jars) {
            read(jar, components);
        }
        components.put("jre", component("platform", "openjdk-jre", java));
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("bomFormat", "CycloneDX");
        document.put("specVersion", "1.6");
        document.put("version", 1);
        document.put("metadata", Map.of("component", component("container", "kvstore-" + kind, version)));
        document.put("components", new ArrayList<>(components.values()));
        return new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .writeValueAsBytes(document);
    }

    private static Map<String, Object> component(String type, String name, String version) {
        Map<String, Object> component = new LinkedHashMap<>();
        component.put("type", type);
        component.put("name", name);
        component.put("version", version);
        return component;
    }

    private static void read(Path jar, Map<String, Map<String, Object>> components) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            List<? extends ZipEntry> entries = zip.stream()
                    .filter(entry -> entry.getName().matches("META-INF/maven/[^/]+/[^/]+/pom\\.properties"))
                    .toList();
            for (ZipEntry entry : entries) {
                Properties pom = new Properties();
                try (InputStream in = zip.getInputStream(entry)) {
                    pom.load(in);
                }
                String group = pom.getProperty("groupId", "");
                String name = pom.getProperty("artifactId", "");
                String version = pom.getProperty("version", "");
                Map<String, Object> component = component("library", name, version);
                String purl = "pkg:maven/" + group + "/" + name + "@" + version;
                component.put("group", group);
                component.put("purl", purl);
                component.put("bom-ref", purl);
                components.put(purl, component);
            }
        }
    }
}
