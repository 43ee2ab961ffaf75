package dev.kvstore.dataplane.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import org.junit.jupiter.api.Test;

/** How near what is told comes to exact sums, on a trace of real requests. */
class HeatAccuracyTest {
    private static final Path TRACE = Path.of("../../shared/traces/mooncake-fast25-conversation.jsonl");
    private static final Instant START = Instant.parse("2026-11-23T12:00:00Z");

    private record Request(Instant at, List<UsedBlock> blocks) {}

    private final List<Request> requests = new ArrayList<>();
    private final Map<UsedBlock, Double> exact = new HashMap<>();
    private Instant now = START;

    @BeforeEach
    void read() throws IOException {
        assumeTrue(Files.exists(TRACE), () -> "missing: " + TRACE + ", the shared trace");
        ObjectMapper json = new ObjectMapper();
        for (String line : Files.readAllLines(TRACE)) {
            JsonNode request = json.readTree(line);
            List<UsedBlock> blocks = new ArrayList<>();
            request.path("hash_ids").forEach(id -> blocks.add(block(id.asLong())));
            requests.add(new Request(START.plusMillis(request.path("timestamp").asLong()), blocks));
        }
        for (Request request : requests) {
            request.blocks().forEach(block -> exact.merge(block, Uses.at(request.at()), Uses::sum));
        }
    }

    private static UsedBlock block(long id) {
        SplittableRandom bits = new SplittableRandom(id);
        return new UsedBlock(
                "acme",
                new BlockHash(0, 0, 0, 0),
                new BlockHash(bits.nextLong(), bits.nextLong(), bits.nextLong(), id));
    }

    private static Set<UsedBlock> hottest(Map<UsedBlock, Double> uses, int count) {
        return uses.entrySet().stream()
                .sorted(Map.Entry.<UsedBlock, Double>comparingByValue(Comparator.reverseOrder()))
                .limit(count)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Of those that are used most by exact sums, the part that is so as told. */
    private double recall(Map<UsedBlock, Double> told, int count) {
        Set<UsedBlock> found = new HashSet<>(hottest(exact, count));
        found.retainAll(hottest(told, count));
        return found.size() / (double) count;
    }

    private static void add(Map<UsedBlock, Double> told, List<Use> uses) {
        uses.forEach(use -> told.merge(use.block(), use.uses(), Uses::sum));
    }

    private static int quarter(Map<UsedBlock, Double> blocks) {
        return blocks.size() / 4;
    }

    @Test
    void toldEveryFiveSecondsByProcessesThatRememberLittleItIsAsGoodAsExact() {
        List<Heat> processes = List.of(new Heat(() -> now, 4_096), new Heat(() -> now, 4_096));
        Map<UsedBlock, Double> told = new HashMap<>();
        Instant tell = START;
        for (int i = 0; i < requests.size(); i++) {
            Request request = requests.get(i);
            now = request.at();
            if (!now.isBefore(tell)) {
                processes.forEach(process -> add(told, process.tell(HeatReports.MOST_BLOCKS)));
                tell = now.plus(HeatReports.PERIOD);
            }
            Heat process = processes.get(i % 2);
            request.blocks().forEach(block -> process.used(block, 0, 1));
        }
        processes.forEach(process -> add(told, process.tell(HeatReports.MOST_BLOCKS)));

        assertThat(recall(told, quarter(exact))).isGreaterThan(0.99);
    }

    @Test
    void notToldForAnHourAProcessStillKnowsItsHottestBlocks() {
        Heat heat = new Heat(() -> now);
        for (Request request : requests) {
            now = request.at();
            request.blocks().forEach(block -> heat.used(block, 0, 1));
        }
        Map<UsedBlock, Double> told = new HashMap<>();

        add(told, heat.tell(Integer.MAX_VALUE));

        assertThat(exact).hasSizeGreaterThan(2 * Heat.MOST_BLOCKS);
        assertThat(recall(told, Heat.MOST_BLOCKS / 4)).isGreaterThan(0.98);
    }
}
