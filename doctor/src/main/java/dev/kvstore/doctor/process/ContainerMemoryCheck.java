package dev.kvstore.doctor.process;

import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.DoctorFinding;
import dev.kvstore.doctor.finding.FindingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a data plane's settings fit the memory of its container (control groups of version 2). */
public record ContainerMemoryCheck(LocalProcess process) implements Check {
    /** The settings of a data plane's memory, and their defaults. */
    public static final Map<String, String> SETTINGS = Map.of(
            "kvstore.memory-tier-size", "1G",
            "kvstore.transfer-memory", "1G",
            "kvstore.inbound-memory", "512M",
            "kvstore.unread-response-memory", "256M");

    private static final Pattern SIZE = Pattern.compile("(\\d+)([KMGTP]?)");
    private static final Pattern HEAP = Pattern.compile("-Xmx(\\d+[KMGTPkmgtp]?)");
    private static final Pattern HEAP_PART = Pattern.compile("-XX:MaxRAMPercentage=([0-9.]+)");
    private static final List<String> UNITS = List.of("", "K", "M", "G", "T", "P");
    private static final int UNIT_BITS = 10;

    /** The JVM without its heap, as {@code docs/operations/capacity.md} has it. */
    private static final long OWN = 229_000_000;

    @Override
    public String subject() {
        return process.subject();
    }

    @Override
    public CheckOutcome look() throws IOException {
        Path group = process.root()
                .resolve("sys/fs/cgroup")
                .resolve(process.line("cgroup", "0::/").orElse(""));
        List<DoctorFinding> findings = new ArrayList<>();
        Optional<Long> limit = limit(group);
        if (limit.isPresent()) {
            long wanted = OWN + heap(limit.get());
            for (Map.Entry<String, String> setting : SETTINGS.entrySet()) {
                wanted += bytes(process.setting(setting.getKey()).orElse(setting.getValue()));
            }
            if (wanted > limit.get()) {
                findings.add(new DoctorFinding(
                        FindingKind.MEMORY_LIMIT,
                        subject(),
                        "its settings and heap take up to %d MiB, and its container has %d MiB"
                                .formatted(wanted >> 20, limit.get() >> 20)));
            }
        }
        long killed = killed(group);
        if (killed > 0) {
            findings.add(new DoctorFinding(
                    FindingKind.MEMORY_KILLED,
                    subject(),
                    "the kernel has ended processes of its container for want of memory, " + killed + " so far"));
        }
        return CheckOutcome.of(findings);
    }

    /** The least limit of the group and those above it. */
    private Optional<Long> limit(Path group) throws IOException {
        Optional<Long> least = Optional.empty();
        Path top = process.root().resolve("sys/fs/cgroup");
        for (Path folder = group; folder != null && folder.startsWith(top); folder = folder.getParent()) {
            Path file = folder.resolve("memory.max");
            if (Files.exists(file) && !Files.readString(file).startsWith("max")) {
                long here = Long.parseLong(Files.readString(file).strip());
                least = Optional.of(Math.min(here, least.orElse(here)));
            }
        }
        return least;
    }

    private static long killed(Path group) throws IOException {
        Path events = group.resolve("memory.events");
        if (!Files.exists(events)) {
            return 0;
        }
        return Files.readAllLines(events).stream()
                .filter(line -> line.startsWith("oom_kill "))
                .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
                .sum();
    }

    private long heap(long limit) throws IOException {
        String flags =
                String.join(" ", process.command()) + " " + process.variables().value("JAVA_TOOL_OPTIONS");
        Optional<String> most = LocalProcess.match(HEAP, flags);
        double part = Double.parseDouble(LocalProcess.match(HEAP_PART, flags).orElse("25"));
        return most.isPresent() ? bytes(most.get().toUpperCase(Locale.ROOT)) : (long) (limit * part / 100);
    }

    private static long bytes(String size) {
        Matcher matcher = SIZE.matcher(size);
        return matcher.matches()
                ? Long.parseLong(matcher.group(1)) << (UNIT_BITS * UNITS.indexOf(matcher.group(2)))
                : 0;
    }
}
