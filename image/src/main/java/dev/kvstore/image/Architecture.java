package dev.kvstore.image;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** A processor architecture that images are built for. */
enum Architecture {
    AMD64("x86_64-linux-gnu", "lib64/ld-linux-x86-64.so.2", 62),
    ARM64("aarch64-linux-gnu", "lib/ld-linux-aarch64.so.1", 183);

    private static final int ELF_HEAD = 20;
    private static final int ELF_MACHINE = 18;

    /** The folder in {@code /lib} with Debian's libraries of this architecture. */
    final String libraries;

    /** The path of the loader of shared libraries in programs, below the root. */
    final String loader;

    private final int machine;

    Architecture(String libraries, String loader, int machine) {
        this.libraries = libraries;
        this.loader = loader;
        this.machine = machine;
    }

    /** The architecture on which this process runs. */
    static Architecture host() {
        return System.getProperty("os.arch").equals("aarch64") ? ARM64 : AMD64;
    }

    /**
     * Whether a program runs on this architecture, by the head of its ELF file: 64 bits, little endian, the machine's
     * number.
     */
    boolean runs(Path program) throws IOException {
        try (InputStream in = Files.newInputStream(program)) {
            byte[] head = in.readNBytes(ELF_HEAD);
            return head.length == ELF_HEAD
                    && Arrays.equals(head, 0, 6, new byte[] {0x7f, 'E', 'L', 'F', 2, 1}, 0, 6)
                    && ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getShort(ELF_MACHINE) == machine;
        }
    }

    /** The name in image registries. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
