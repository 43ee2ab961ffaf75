package dev.kvstore.launcher.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code deploy/machine/kv-disk} on disks that are files. */
@Tag("slow")
class DiskScriptTest {
    // The least that mkfs.xfs takes.
    private static final long DISK = 320L << 20;

    @TempDir
    Path folder;

    private final List<String> devices = new ArrayList<>();
    private Path first;
    private Path second;

    @BeforeEach
    void attach() throws Exception {
        assumeTrue(
                Stream.of("losetup", "mkfs.xfs", "blkid").allMatch(DiskScriptTest::isThere),
                "missing: losetup, mkfs.xfs or blkid, of the packages mount, xfsprogs and util-linux");
        assumeTrue(System.getProperty("user.name").equals("root"), "missing: root, who may mount");
        for (String name : List.of("one", "two")) {
            Path file = folder.resolve(name);
            try (RandomAccessFile disk = new RandomAccessFile(file.toFile(), "rw")) {
                disk.setLength(DISK);
            }
            Said attached = said("losetup", "--find", "--show", file.toString());
            assumeTrue(attached.exitCode() == 0, "missing: loop devices, which this machine does not give");
            devices.add(attached.text().strip());
        }
        first = folder.resolve("kv/numa-0");
        second = folder.resolve("kv/numa-1");
    }

    @AfterEach
    void detach() throws Exception {
        for (Path mounted :
                Stream.of(first, second).filter(path -> path != null).toList()) {
            said("umount", mounted.toString());
            said("chattr", "-i", mounted.toString());
        }
        for (String device : devices) {
            said("losetup", "--detach", device);
        }
    }

    @Test
    void emptyDisksAreFormattedAndMounted() throws Exception {
        makeReady();

        assertThat(Files.getFileStore(first)).isNotEqualTo(Files.getFileStore(folder));
        assertThat(Files.getFileStore(second)).isNotEqualTo(Files.getFileStore(first));
        assertThat(Files.getFileStore(first).type()).isEqualTo("xfs");
    }

    @Test
    void aDiskThatHasAFileSystemKeepsIt() throws Exception {
        makeReady();
        Files.writeString(first.resolve("block"), "content");
        said("umount", first.toString());

        makeReady();

        assertThat(first.resolve("block")).hasContent("content");
    }

    @Test
    void aSecondRunChangesNothing() throws Exception {
        makeReady();
        Files.writeString(second.resolve("block"), "content");

        makeReady();

        assertThat(second.resolve("block")).hasContent("content");
    }

    @Test
    void aDeviceThatIsNotThereIsAnError() throws Exception {
        Said result = said(script(), "/dev/no-such-disk", first.toString());

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.text()).contains("/dev/no-such-disk");
    }

    @Test
    void aDiskThatCannotBeUsedIsLeftOut() throws Exception {
        Said result = said(script(), "/dev/no-such-disk", first.toString(), devices.get(1), second.toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.text()).contains("kv-disk: /dev/no-such-disk is left out");
        assertThat(Files.getFileStore(second)).isNotEqualTo(Files.getFileStore(folder));
    }

    private void makeReady() throws Exception {
        Said result = said(script(), devices.get(0), first.toString(), devices.get(1), second.toString());
        assertThat(result.exitCode()).as(result.text()).isZero();
    }

    private static String script() {
        return Home.current().path().resolve("deploy/machine/kv-disk").toString();
    }

    private static boolean isThere(String program) {
        return Stream.of("/usr/sbin", "/sbin", "/usr/bin", "/bin")
                .map(Path::of)
                .anyMatch(bin -> Files.isExecutable(bin.resolve(program)));
    }

    private record Said(int exitCode, String text) {}

    private static Said said(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readNBytes(64 * 1024), UTF_8);
        return new Said(process.waitFor(), text);
    }
}
