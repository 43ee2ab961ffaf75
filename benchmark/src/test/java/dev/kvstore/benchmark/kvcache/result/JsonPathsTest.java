package dev.kvstore.benchmark.kvcache.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.kvcache.CommandTrial;
import dev.kvstore.benchmark.kvcache.RecordedFigures;
import dev.kvstore.benchmark.kvcache.tier.OnDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The JSON of whole runs with {@code --compat} has the paths of the original's, with the same types, and no others.
 *
 * <p>Users of few tokens fit the small tiers of the trace, those of many go past them, as in the run of the original.
 */
@Tag("slow")
class JsonPathsTest {
    @TempDir(factory = OnDisk.class)
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "cpuonly, --cpu-mem-gb 1",
        "diskonly, --cpu-mem-gb 0 --performance-profile throughput",
        "prefill, --cpu-mem-gb 0 --prefill-only",
        "decode, --cpu-mem-gb 0 --decode-only",
        "single, --cpu-mem-gb 0 --disable-multi-turn --disable-prefix-caching",
        "trace, --gpu-mem-gb 0.000125 --cpu-mem-gb 0.000125 --io-trace-log FOLDER/trace.csv",
        "sharegpt, --cpu-mem-gb 0 --dataset-path FOLDER/talks.json --request-rate 50",
        "rag, --cpu-mem-gb 0 --enable-rag --rag-num-docs 2",
        "autoscale, --cpu-mem-gb 0.002 --num-users 20 --max-requests 0 --duration 3 --enable-autoscaling --autoscaler-interval 1",
        "capacity, --num-users 2 --cpu-mem-gb 0.001 --max-requests 0 --enable-autoscaling --autoscaler-mode capacity --autoscaler-interval 2"
    })
    void hasThePathsAndTypesOfTheOriginal(String name, String flags) throws IOException {
        Set<String> original = RecordedFigures.words("json-paths.txt").stream()
                .filter(words -> List.of(words.get(2).split(",", -1)).contains(name))
                .map(words -> words.get(0) + " " + words.get(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(paths(run(flags))).containsExactlyInAnyOrderElementsOf(original);
    }

    private JsonNode run(String flags) throws IOException {
        Path config = Files.writeString(
                folder.resolve("config.yaml"), """
                autoscaler: {max_users: MOST}
                model_configs: {small: {num_layers: 1, kv_heads: 1, kv_dim_per_head: 8}}
                user_templates:
                  chatbot: {context_range: [1600, 1600], generation_range: [50, 200], think_time_range: [0.01, 0.02]}
                  coding: {context_range: [20000, 20000], generation_range: [50, 200], think_time_range: [0.01, 0.02]}
                  document: {context_range: [20000, 20000], generation_range: [50, 200], think_time_range: [0.01, 0.02]}
                """.replace("MOST", flags.contains("capacity") ? "7" : "24"));
        Files.writeString(folder.resolve("talks.json"), """
                [{"id": "a", "conversations": [
                  {"from": "human", "value": "What is a cache?"}, {"from": "gpt", "value": "It keeps what was computed."},
                  {"from": "human", "value": "And what leaves it?"}, {"from": "gpt", "value": "The oldest, mostly."}]}]
                """);
        CommandTrial trial = CommandTrial.of(
                folder,
                "--compat --model small --num-users 3 --seed 42 --duration 20 --max-requests 60 --generation-mode none"
                        + " --config " + config + " --cache-dir FOLDER " + flags);
        assertThat(trial.exitCode()).as(trial.err()).isZero();
        return trial.results();
    }

    /** Without our own section; the figures of one class stand for those of all. */
    private static Set<String> paths(JsonNode json) {
        Set<String> paths = new TreeSet<>();
        collect(json, "", paths);
        return paths.stream()
                .filter(path -> !path.startsWith("/summary/kvstore"))
                .map(path -> path.replaceFirst(
                        "qos_metrics/(interactive|responsive|batch)/(latency_ms|sla|total_requests|no_data)",
                        "qos_metrics/CLASS/$2"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void collect(JsonNode node, String path, Set<String> paths) {
        node.properties().forEach(entry -> {
            String inner = path + "/" + entry.getKey();
            paths.add(inner + " " + type(entry.getValue()));
            collect(entry.getValue(), inner, paths);
        });
        if (node.isArray()) {
            node.forEach(element -> {
                if (element.isObject()) {
                    collect(element, path + "[]", paths);
                }
            });
        }
    }

    private static String type(JsonNode node) {
        return switch (node.getNodeType()) {
            case NULL -> "null";
            case BOOLEAN -> "bool";
            case NUMBER -> "number";
            case STRING -> "text";
            case ARRAY -> "list";
            default -> "object";
        };
    }
}
