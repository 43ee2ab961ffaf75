package dev.kvstore.dataplane.tier.disk;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another process that writes to a disk tier until it is killed. */
final class DiskTierProcess {
    static final int REGIONS = 64;
    static final int BYTES = 5_000;

    private DiskTierProcess() {}

    /**
     * Starts one in a JVM of its own.
     *
     * @param first number of the first block it writes
     * @param direct whether its flags let it write directly
     */
    static Process start(Path folder, int first, boolean direct) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseSerialGC");
        if (direct) {
            ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                    .filter(flag -> flag.startsWith("--") || flag.startsWith("-Dio.netty."))
                    .forEach(command::add);
        } else {
            // O_DIRECT is of a module that is no part of Java SE.
            command.addAll(List.of("--limit-modules", "java.se", "-Dio.netty.noUnsafe=true"));
        }
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                DiskTierProcess.class.getName(),
                folder.toString(),
                Integer.toString(first)));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    static void main(String[] arguments) {
        Records records = new Records(16 << 20);
        try (DiskTier tier = new SmallDisk(Path.of(arguments[0]), REGIONS).open(records.pool())) {
            System.out.println(tier.state().reason());
            for (int i = Integer.parseInt(arguments[1]); i < Integer.MAX_VALUE; i++) {
                records.put(tier, i, BYTES);
                if (i % 8 == 7) {
                    records.settle();
                    System.out.println(i);
                }
            }
        }
    }
}
