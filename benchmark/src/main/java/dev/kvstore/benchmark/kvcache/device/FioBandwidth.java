package dev.kvstore.benchmark.kvcache.device;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.peers.FioOutput;
import dev.kvstore.benchmark.peers.ProgramRun;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The bandwidth that a disk gives to fio(1), in GiB a second: eight jobs, each with a file of its own that it goes
 * through in requests of 1 MiB, past the page cache.
 */
public record FioBandwidth(double readGibPerSecond, double writeGibPerSecond) {
    private static final double GIBIBYTE = 1L << 30;
    private static final int JOBS = 8;

    /**
     * Writes new files, then reads them; they are deleted in the end, and take 2 GiB.
     *
     * @param fio the program
     * @param each time of writing and of reading
     * @throws LaunchException if fio fails
     */
    public static FioBandwidth of(Path fio, Path place, Duration each) throws IOException, InterruptedException {
        try (BenchFolder folder = BenchFolder.ofThisProcess(place, "kv-cache-fio-")) {
            double written = bandwidth(fio, folder.path(), "write", each);
            return new FioBandwidth(bandwidth(fio, folder.path(), "read", each), written);
        }
    }

    private static double bandwidth(Path fio, Path folder, String way, Duration time) throws InterruptedException {
        String output = ProgramRun.of(List.of(
                        fio.toString(),
                        "--name=bandwidth",
                        "--directory=" + folder.toString().replace(":", "\\:"),
                        "--rw=" + way,
                        "--bs=1m",
                        "--size=256m",
                        "--numjobs=" + JOBS,
                        "--fallocate=none",
                        "--direct=1",
                        "--ioengine=psync",
                        "--thread",
                        "--group_reporting",
                        "--time_based",
                        "--runtime=" + time.toMillis() + "ms",
                        "--output-format=json"))
                .orThrow("fio")
                .output();
        return FioOutput.bytesPerSecond(output, way) / GIBIBYTE;
    }
}
