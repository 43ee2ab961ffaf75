package dev.kvstore.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.launcher.LaunchException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GlibcTest {
    @TempDir
    Path folder;

    @Test
    void takesLibrariesAndLoaderFromUnpackedPackages() throws Exception {
        Path libraries = Files.createDirectories(folder.resolve("usr/lib/aarch64-linux-gnu"));
        for (String name : List.of(
                "libc.so.6",
                "libm.so.6",
                "libdl.so.2",
                "libpthread.so.0",
                "librt.so.1",
                "libresolv.so.2",
                "libgcc_s.so.1",
                "ld-linux-aarch64.so.1")) {
            Files.createFile(libraries.resolve(name));
        }

        assertThat(new Glibc(folder, Architecture.ARM64).files())
                .containsKeys("/lib/aarch64-linux-gnu/libc.so.6", "/lib/ld-linux-aarch64.so.1");
    }

    @Test
    void aMissingLibraryIsNamedWithTheWayOut() {
        assertThatExceptionOfType(LaunchException.class)
                .isThrownBy(() -> new Glibc(folder, Architecture.ARM64).files())
                .withMessageContainingAll("libc.so.6 of arm64", "--base IMAGE", "--libc arm64=FOLDER", "dpkg -x");
    }
}
