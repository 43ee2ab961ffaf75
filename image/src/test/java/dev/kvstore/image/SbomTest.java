package dev.kvstore.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SbomTest {
    private static final Artifact DRIVER = new Artifact("org.postgresql", "postgresql", "", "42.7.8");

    @TempDir
    Path folder;

    @Test
    void namesAnArtifactOfTheBuildWhoseJarSaysNothing() throws Exception {
        Sbom sbom = new Sbom(List.of(DRIVER));
        sbom.add(jar("postgresql-42.7.8.jar", Map.of()));

        assertThat(purls(sbom)).containsExactly("pkg:maven/org.postgresql/postgresql@42.7.8");
    }

    @Test
    void namesAnArtifactThatAJarHoldsOnce() throws Exception {
        Sbom sbom = new Sbom(List.of(new Artifact("org.example", "a", "linux-x86_64", "1.0")));
        Path jar = jar("whole.jar", Map.of(pom("a"), text("a", "1.0"), pom("shaded"), text("shaded", "2.0")));
        sbom.add(jar);
        sbom.add(jar);

        assertThat(purls(sbom))
                .containsExactly(
                        "pkg:maven/org.example/a@1.0?classifier=linux-x86_64", "pkg:maven/org.example/shaded@2.0");
    }

    @Test
    void namesAJarThatNobodyKnowsByItsFileAndManifest() throws Exception {
        Sbom sbom = new Sbom(List.of(DRIVER));
        sbom.add(jar(
                "stray.jar", Map.of("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nImplementation-Version: 3.1\n\n")));

        JsonNode stray = components(sbom).get(0);
        assertThat(stray.path("name").asText()).isEqualTo("stray.jar");
        assertThat(stray.path("version").asText()).isEqualTo("3.1");
    }

    @Test
    void isTheSameWhicheverJarComesFirst() throws Exception {
        Path one = jar("one.jar", Map.of(pom("a"), text("a", "1.0")));
        Path two = jar("two.jar", Map.of(pom("b"), text("b", "1.0")));
        Sbom sbom = new Sbom(List.of());
        sbom.add(one);
        sbom.add(two);
        Sbom other = new Sbom(List.of());
        other.add(two);
        other.add(one);

        assertThat(sbom.json("container", "kvstore-admin", "0.1.0"))
                .isEqualTo(other.json("container", "kvstore-admin", "0.1.0"));
    }

    private static JsonNode components(Sbom sbom) throws IOException {
        return new ObjectMapper()
                .readTree(sbom.json("container", "kvstore-admin", "0.1.0"))
                .path("components");
    }

    private static List<String> purls(Sbom sbom) throws IOException {
        return components(sbom)
                .valueStream()
                .map(component -> component.path("purl").asText())
                .toList();
    }

    private static String pom(String name) {
        return "META-INF/maven/org.example/" + name + "/pom.properties";
    }

    private static String text(String name, String version) {
        return "groupId=org.example\nartifactId=%s\nversion=%s\n".formatted(name, version);
    }

    private Path jar(String file, Map<String, String> entries) throws IOException {
        Path jar = folder.resolve(file);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry("some.txt"));
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(UTF_8));
            }
        }
        return jar;
    }
}
