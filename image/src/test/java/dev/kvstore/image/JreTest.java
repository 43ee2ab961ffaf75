package dev.kvstore.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JreTest {
    /** Machines as ELF numbers them. */
    private static final int X86_64 = 62;

    private static final int AARCH64 = 183;

    @TempDir
    Path folder;

    @Test
    void takesAJreOfTheArchitectureAndOfTheSameMajorVersionWhole() throws Exception {
        Path given = jre("given", "25.0.2", AARCH64);

        assertThat(Jre.foreign(given, Architecture.ARM64, folder.resolve("to")))
                .isEqualTo(new Jre(given, Architecture.ARM64));
    }

    @Test
    void refusesOneOfAnotherArchitectureByName() throws Exception {
        Path given = jre("given", "25.0.2", X86_64);

        assertThatExceptionOfType(LaunchException.class)
                .isThrownBy(() -> Jre.foreign(given, Architecture.ARM64, folder.resolve("to")))
                .withMessageContainingAll("--jdk arm64=", "no program of Linux on arm64");
    }

    @Test
    void refusesOneOfAnotherMajorVersionByName() throws Exception {
        Path given = jre("given", "17.0.15", AARCH64);

        assertThatExceptionOfType(LaunchException.class)
                .isThrownBy(() -> Jre.foreign(given, Architecture.ARM64, folder.resolve("to")))
                .withMessageContainingAll("--jdk arm64=", "Java 17.0.15", "built for 25");
    }

    private Path jre(String name, String version, int machine) throws IOException {
        Path jre = folder.resolve(name);
        Files.createDirectories(jre.resolve("bin"));
        byte[] program = new byte[64];
        ByteBuffer.wrap(program)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1})
                .putShort(18, (short) machine);
        Files.write(jre.resolve("bin/java"), program);
        Files.writeString(jre.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        return jre;
    }
}
