package dev.kvstore.benchmark.limits;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.LaunchException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * fio(1), which reads files at random past the page cache: its command line, and its output.
 *
 * @param path of the program
 * @param files there already, and only read
 * @param readBytes of each read, whole pages
 */
record Fio(String path, List<Path> files, int readBytes) {
    private static final double GIGABYTE = 1e9;

    /** Threads, each of which reads one piece after the other. */
    List<String> command(int threads, Duration time) {
        List<String> command = new ArrayList<>(List.of(path, "--name=read", "--readonly", "--rw=randread"));
        command.addAll(List.of("--direct=1", "--ioengine=psync", "--thread", "--norandommap", "--randrepeat=0"));
        command.add("--bs=" + readBytes);
        command.add("--filename=" + files.stream().map(Fio::escaped).collect(Collectors.joining(":")));
        command.addAll(List.of("--numjobs=" + threads, "--group_reporting", "--time_based"));
        command.addAll(List.of("--runtime=" + time.toMillis() + "ms", "--output-format=json"));
        return List.copyOf(command);
    }

    /** In its list of names a colon parts them. */
    private static String escaped(Path file) {
        return file.toString().replace("\\", "\\\\").replace(":", "\\:");
    }

    /**
     * How many GB a second there were.
     *
     * @param output its output, with other words before the JSON
     * @throws LaunchException if that does not say
     */
    static double gigabytesPerSecond(String output) {
        try {
            String json = output.substring(Math.max(0, output.indexOf('{')));
            JsonNode rate = new ObjectMapper().readTree(json).at("/jobs/0/read/bw_bytes");
            if (rate.asDouble() > 0) {
                return rate.asDouble() / GIGABYTE;
            }
        } catch (JsonProcessingException e) {
            // It says something else.
        }
        throw new LaunchException("fio does not say how fast it was: " + output.strip());
    }
}
