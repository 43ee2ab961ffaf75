package dev.kvstore.benchmark.peers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.LaunchException;

/** The JSON that fio(1) prints of a run. Stateless. */
public final class FioOutput {
    private FioOutput() {}

    /**
     * The bytes a second of all jobs of a group.
     *
     * @param output of fio, with other words before the JSON
     * @param way {@code read} or {@code write}
     * @throws LaunchException if the output has no rate
     */
    public static double bytesPerSecond(String output, String way) {
        try {
            String json = output.substring(Math.max(0, output.indexOf('{')));
            JsonNode rate = new ObjectMapper().readTree(json).at("/jobs/0/" + way + "/bw_bytes");
            if (rate.asDouble() > 0) {
                return rate.asDouble();
            }
        } catch (JsonProcessingException e) {
            // It says something else.
        }
        throw new LaunchException("fio does not say how fast it was: " + output.strip());
    }
}
