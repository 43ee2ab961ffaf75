package dev.kvstore.dataplane.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.heat.Uses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How near what is told comes to exact sums, on a trace of real requests. */
@Tag("slow")
class HeatAccuracyTest {
    private static final Path TRACE = Path.of("../../shared/traces/mooncake-fast25-conversation.jsonl");
    private static final Instant START = Instant.parse("2026-11-23T12:00:00Z");

    private static final StorageLocation STORAGE = new StorageLocation.Filesystem(Path.of("somewhere"));
    private static final BlockHash ROOT = new BlockHash(0, 0, 0, 0);

    private record HeatRequest(Instant at, List<BlockKey> blocks) {}

    private final List<HeatRequest> requests = new ArrayList<>();
    private final Map<BlockKey, Double> exact = new HashMap<>();
    private Instant now = START;

    @BeforeEach
    void read() throws IOException {
        assumeTrue(Files.exists(TRACE), () -> "missing: " + TRACE + ", the shared trace");
        ObjectMapper json = new ObjectMapper();
        for (String line : Files.readAllLines(TRACE)) {
            JsonNode request = json.readTree(line);
            List<BlockKey> blocks = new ArrayList<>();
            request.path("hash_ids").forEach(id -> blocks.add(block(id.asLong())));
            requests.add(
                    new HeatRequest(START.plusMillis(request.path("timestamp").asLong()), blocks));
        }
        for (HeatRequest request : requests) {
            request.blocks().forEach(block -> exact.merge(block, Uses.at(request.at()), Uses::sum));
        }
    }

    private static BlockKey block(long id) {
        SplittableRandom bits = new SplittableRandom(id);
        return new BlockKey(
                STORAGE, ROOT, new BlockHash(bits.nextLong(), bits.nextLong(), bits.nextLong(), bits.nextLong()));
    }

    private static Set<BlockKey> hottest(Map<BlockKey, Double> uses, int count) {
        return uses.entrySet().stream()
                .sorted(Map.Entry.<BlockKey, Double>comparingByValue(Comparator.reverseOrder()))
                .limit(count)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** The share of the blocks used most by exact sums that is also used most by reports. */
    private double recall(Map<BlockKey, Double> told, int count) {
        Set<BlockKey> found = new HashSet<>(hottest(exact, count));
        found.retainAll(hottest(told, count));
        return found.size() / (double) count;
    }

    private static void add(Map<BlockKey, Double> told, List<BlockUse> uses) {
        uses.forEach(use -> told.merge(use.block().key(), use.uses(), Uses::sum));
    }

    private static int quarter(Map<BlockKey, Double> blocks) {
        return blocks.size() / 4;
    }

    @Test
    void toldEveryFiveSecondsByProcessesThatRememberLittleItIsAsGoodAsExact() {
        List<Heat> processes = List.of(Heat.of(() -> now, 4_096), Heat.of(() -> now, 4_096));
        Map<BlockKey, Double> told = new HashMap<>();
        Instant tell = START;
        for (int i = 0; i < requests.size(); i++) {
            HeatRequest request = requests.get(i);
            now = request.at();
            if (!now.isBefore(tell)) {
                processes.forEach(process -> add(told, process.tell(HeatReporter.MOST_BLOCKS)));
                tell = now.plus(HeatReporter.PERIOD);
            }
            Heat process = processes.get(i % 2);
            request.blocks().forEach(block -> process.used("acme", block, 0, 1));
        }
        processes.forEach(process -> add(told, process.tell(HeatReporter.MOST_BLOCKS)));

        assertThat(recall(told, quarter(exact))).isGreaterThan(0.99);
    }

    @Test
    void notToldForAnHourAProcessStillKnowsItsHottestBlocks() {
        Heat heat = Heat.none(() -> now, _ -> {});
        Instant beat = START;
        for (HeatRequest request : requests) {
            now = request.at();
            if (!now.isBefore(beat)) {
                heat.weigh();
                beat = now.plus(HeatReporter.PERIOD);
            }
            request.blocks().forEach(block -> heat.used("acme", block, 0, 1));
        }
        Map<BlockKey, Double> told = new HashMap<>();

        add(told, heat.tell(Integer.MAX_VALUE));

        assertThat(exact).hasSizeGreaterThan(2 * Heat.MOST_BLOCKS);
        assertThat(recall(told, Heat.MOST_BLOCKS / 4)).isGreaterThan(0.98);
    }
}
