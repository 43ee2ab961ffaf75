package dev.kvstore.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SbomTest {
    @TempDir
    Path folder;

    @Test
    void namesEachArtifactOnceAndJava() throws Exception {
        Path one = jar("one.jar", "org.example", "a", "1.0");
        Path two = jar("two.jar", "org.example", "b", "2.0");

        byte[] sbom = Sbom.of(ImageKind.ADMIN, "0.1.0", "25.0.1", List.of(one, two, one));

        JsonNode components = new ObjectMapper().readTree(sbom).path("components");
        assertThat(components)
                .extracting(component -> component.path("purl").asText())
                .containsExactly("", "pkg:maven/org.example/a@1.0", "pkg:maven/org.example/b@2.0");
        assertThat(components.get(0).path("version").asText()).isEqualTo("25.0.1");
    }

    @Test
    void isTheSameEachTime() throws Exception {
        Path one = jar("one.jar", "org.example", "a", "1.0");
        Path two = jar("two.jar", "org.example", "b", "2.0");

        assertThat(Sbom.of(ImageKind.ADMIN, "0.1.0", "25", List.of(one, two)))
                .isEqualTo(Sbom.of(ImageKind.ADMIN, "0.1.0", "25", List.of(two, one)));
    }

    private Path jar(String file, String group, String name, String version) throws IOException {
        Path jar = folder.resolve(file);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry("META-INF/maven/" + group + "/" + name + "/pom.properties"));
            zip.write("groupId=%s\nartifactId=%s\nversion=%s\n"
                    .formatted(group, name, version)
                    .getBytes(UTF_8));
        }
        return jar;
    }
}
