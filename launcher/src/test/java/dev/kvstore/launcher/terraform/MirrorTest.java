package dev.kvstore.launcher.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MirrorTest {
    private static final Platform LINUX = new Platform("linux", "amd64");
    private static final Platform WINDOWS = new Platform("windows", "arm64");

    @TempDir
    Path folder;

    private Path program;
    private Mirror mirror;

    @BeforeEach
    void makeAProgram() throws IOException {
        program = Files.writeString(folder.resolve("terraform-provider-kvstore_v1.2.3"), "a program");
        mirror = new Mirror(folder.resolve("mirror"));
    }

    @Test
    void anArchiveLiesWhereTerraformLooksForIt() throws IOException {
        assertThat(mirror.add(program, "1.2.3", LINUX))
                .isEqualTo(folder.resolve(
                        "mirror/kvstore.dev/kvstore/kvstore/terraform-provider-kvstore_1.2.3_linux_amd64.zip"))
                .exists();
    }

    @Test
    void theProgramInAnArchiveCanBeRun() throws IOException {
        Path archive = mirror.add(program, "1.2.3", LINUX);

        try (FileSystem zip = FileSystems.newFileSystem(
                URI.create("jar:" + archive.toUri()), Map.of("enablePosixFileAttributes", "true"))) {
            Path entry = zip.getPath("/terraform-provider-kvstore_v1.2.3");
            assertThat(entry).hasContent("a program");
            assertThat(Files.getPosixFilePermissions(entry)).contains(PosixFilePermission.OTHERS_EXECUTE);
        }
    }

    @Test
    void theSameProgramGivesTheSameArchiveLater() throws IOException {
        byte[] first = Files.readAllBytes(mirror.add(program, "1.2.3", LINUX));
        Files.setLastModifiedTime(program, FileTime.from(Instant.parse("2031-01-01T00:00:00Z")));

        assertThat(mirror.add(program, "1.2.3", LINUX)).hasBinaryContent(first);
    }

    @Test
    void noTimeInAnArchiveIsThatOfTheBuild() throws IOException {
        Path archive = mirror.add(program, "1.2.3", LINUX);

        try (FileSystem zip = FileSystems.newFileSystem(archive)) {
            BasicFileAttributes entry =
                    Files.readAttributes(zip.getPath("/terraform-provider-kvstore_v1.2.3"), BasicFileAttributes.class);
            assertThat(List.of(entry.creationTime(), entry.lastAccessTime(), entry.lastModifiedTime()))
                    .allMatch(time -> time.toInstant().equals(Instant.parse("1980-01-01T00:00:00Z")));
        }
    }

    @Test
    void theChecksumsAreOfAllArchivesOfTheVersionInOrder() throws Exception {
        Path windows = mirror.add(program, "1.2.3", WINDOWS);
        Path linux = mirror.add(program, "1.2.3", LINUX);
        mirror.add(program, "1.2.4", LINUX);

        assertThat(mirror.sum("1.2.3"))
                .hasFileName("terraform-provider-kvstore_1.2.3_SHA256SUMS")
                .hasContent(sha256(linux) + "  " + linux.getFileName() + "\n" + sha256(windows) + "  "
                        + windows.getFileName());
    }

    private static String sha256(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }
}
