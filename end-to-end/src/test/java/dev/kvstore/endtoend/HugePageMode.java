package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kernel's transparent huge pages, of the whole machine, set to another mode until this is closed or the JVM ends.
 */
final class HugePageMode implements AutoCloseable {
    private static final Path MODE = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    private static final Pattern CHOSEN = Pattern.compile("\\[(\\w+)]");

    private final String before;
    private final Thread hook;

    private HugePageMode(String before) {
        this.before = before;
        this.hook = new Thread(() -> set(before), "huge-pages");
    }

    /** Every process gets them, whether it asks or not; the test is skipped where that cannot be set. */
    static HugePageMode always() throws IOException {
        assumeTrue(Files.exists(MODE), "missing: " + MODE + ", of a kernel with transparent huge pages");
        HugePageMode pages = new HugePageMode(mode());
        try {
            Files.writeString(MODE, "always");
        } catch (IOException e) {
            assumeTrue(false, "missing: the right to write " + MODE + ": " + e);
        }
        Runtime.getRuntime().addShutdownHook(pages.hook);
        assertThat(mode()).isEqualTo("always");
        return pages;
    }

    private static String mode() throws IOException {
        String text = Files.readString(MODE);
        Matcher chosen = CHOSEN.matcher(text);
        assertThat(chosen.find()).as(text).isTrue();
        return chosen.group(1);
    }

    private static void set(String mode) {
        try {
            Files.writeString(MODE, mode);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Bytes of a process that lie on them, except those of files. */
    static long of(ProcessHandle process) throws IOException {
        return Files.readString(Path.of("/proc/" + process.pid() + "/smaps_rollup"))
                .lines()
                .filter(line -> line.startsWith("AnonHugePages:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .sum();
    }

    @Override
    public void close() {
        set(before);
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
