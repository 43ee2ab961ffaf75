package dev.kvstore.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramJarTest {
    private static final List<String> KEPT = List.of(
            "META-INF/MANIFEST.MF",
            "META-INF/native/libnetty_tcnative_linux_x86_64.so",
            "META-INF/native/libnetty_tcnative_linux_aarch_64.so",
            "com/sun/jna/linux-aarch64/libjnidispatch.so",
            "com/sun/jna/linux-x86-64/libjnidispatch.so",
            "com/sun/jna/win32/StdCallLibrary.class",
            "org/postgresql/Driver.class");

    private static final List<String> LEFT_OUT = List.of(
            "META-INF/native/netty_tcnative_windows_x86_64.dll",
            "META-INF/native/libnetty_tcnative_osx_aarch_64.jnilib",
            "com/sun/jna/linux-arm/libjnidispatch.so",
            "com/sun/jna/aix-ppc64/libjnidispatch.a");

    @TempDir
    Path folder;

    @Test
    void leavesOutWhatLinuxCannotRun() throws Exception {
        Path copy = folder.resolve("copy.jar");

        ProgramJar.copy(jar(), copy);

        try (ZipFile zip = new ZipFile(copy.toFile())) {
            assertThat(zip.stream().map(ZipEntry::getName)).containsExactlyElementsOf(KEPT);
            assertThat(zip.getInputStream(zip.getEntry(KEPT.getLast())).readAllBytes())
                    .hasSize(10_000);
        }
    }

    @Test
    void copiesOfOneJarAreTheSame() throws Exception {
        Path jar = jar();
        ProgramJar.copy(jar, folder.resolve("one.jar"));
        ProgramJar.copy(jar, folder.resolve("two.jar"));

        assertThat(folder.resolve("two.jar")).hasSameBinaryContentAs(folder.resolve("one.jar"));
    }

    private Path jar() throws Exception {
        Path jar = folder.resolve("whole.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (String name :
                    List.of(KEPT, LEFT_OUT).stream().flatMap(List::stream).toList()) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(new byte[10_000]);
            }
        }
        return jar;
    }
}
