package dev.kvstore.dataplane.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds out how fast the machine's network is. Stateless. */
final class Bandwidth {
    /** 10 Gbit/s, as a virtual machine of a few CPUs has it, whose interface does not tell. */
    static final long UNKNOWN = 1_250_000_000;

    private static final long BYTES_PER_MEGABIT = 125_000;

    private Bandwidth() {}

    /**
     * Bytes a second in one direction of the fastest interface that is up and tells it; {@link #UNKNOWN} if none does.
     *
     * @param interfaces the kernel's folder of interfaces
     */
    static long ofMachine(Path interfaces) {
        long most = 0;
        try (DirectoryStream<Path> each = Files.newDirectoryStream(interfaces)) {
            for (Path one : each) {
                most = Math.max(most, megabits(one));
            }
        } catch (IOException e) {
            return UNKNOWN;
        }
        return most > 0 ? most * BYTES_PER_MEGABIT : UNKNOWN;
    }

    /** The speed of an interface; 0 or less if it does not tell. An interface that is down, or virtual, refuses to. */
    private static long megabits(Path one) {
        try {
            return Files.readString(one.resolve("operstate")).strip().equals("up")
                    ? Long.parseLong(Files.readString(one.resolve("speed")).strip())
                    : 0;
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }
}
