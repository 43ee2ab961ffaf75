package dev.kvstore.control.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.control.SharedPostgres;
import dev.kvstore.control.database.Migrations;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.heat.Uses;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reported uses, in a real PostgreSQL. */
@Tag("slow")
class HeatLedgerTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
    private static final String HERE = "eu-1";
    private static final String ACCOUNT = "acme";
    private static final HeatLedger.HeatSubject SUBJECT = new HeatLedger.HeatSubject(HERE, ACCOUNT);

    @SuppressWarnings("NullAway.Init")
    private static DataSource made;

    private final DataSource database = made;
    private final HeatLedger ledger = new HeatLedger(database);

    @BeforeAll
    static void start() throws Exception {
        SharedPostgres.Own own = SharedPostgres.newDatabase();
        Migrations.run(own.database());
        made = own.source();
    }

    @BeforeEach
    void empty() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("truncate heat");
        }
    }

    private void age(String time) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("update heat set told_at = told_at - interval '" + time + "'");
        }
    }

    private static BlockHeat used(int partition, int block, double uses) {
        BlockName name = new BlockName(new BlockHash(partition, 0, 0, 0), new BlockHash(partition, 0, 0, block));
        return new BlockHeat(name, block - 1L, 1_000 + block, Uses.at(NOW) + uses, 0);
    }

    private void tell(BlockHeat... blocks) throws SQLException {
        ledger.add(HERE, Map.of(ACCOUNT, List.of(blocks)));
    }

    /** Without the times at which they were told of. */
    private List<BlockHeat> hottest() throws SQLException {
        return ledger.read(SUBJECT).hottest().stream()
                .map(block -> new BlockHeat(block.name(), block.parent(), block.bytes(), block.uses(), 0))
                .toList();
    }

    /** When a block was told of last. */
    private long told(int block) throws SQLException {
        return ledger.read(SUBJECT).hottest().stream()
                .filter(each -> each.name().equals(used(1, block, 0).name()))
                .findFirst()
                .orElseThrow()
                .told();
    }

    private long second() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select extract(epoch from now())")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void ofEachBlockItIsKnownWhenItWasToldOfLastAlsoAfterMerging() throws SQLException {
        tell(used(1, 1, 20), used(1, 2, 20));
        age("1 hour");
        long before = second();
        // Used long ago, and told of now.
        tell(used(1, 2, -20));
        assertThat(told(1)).isLessThan(before - 3_500);
        assertThat(told(2)).isGreaterThanOrEqualTo(before - 1);

        ledger.merge(SUBJECT);

        assertThat(rows()).isEqualTo(1);
        assertThat(told(1)).isLessThan(before - 3_500);
        assertThat(told(2)).isGreaterThanOrEqualTo(before - 1);
    }

    private long rows() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from heat")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void whatWasToldIsKnownTheMostUsedFirst() throws SQLException {
        tell(used(1, 1, 0), used(2, 1, 2));
        tell(used(1, 2, 1));

        assertThat(hottest()).containsExactly(used(2, 1, 2), used(1, 2, 1), used(1, 1, 0));
    }

    @Test
    void usesOfTheSameBlockAddUp() throws SQLException {
        tell(used(1, 1, 0));
        tell(used(1, 1, 0));

        assertThat(hottest()).containsExactly(used(1, 1, 1));
    }

    @Test
    void accountsAndRegionsDoNotMix() throws SQLException {
        ledger.add(HERE, Map.of(ACCOUNT, List.of(used(1, 1, 0)), "other", List.of(used(1, 2, 0))));
        ledger.add("us-1", Map.of(ACCOUNT, List.of(used(1, 3, 0))));

        assertThat(hottest()).containsExactly(used(1, 1, 0));
    }

    @Test
    void manyReportsAreMergedAndNothingIsLostOrCountedTwice() throws SQLException {
        SplittableRandom random = new SplittableRandom(7);
        for (int report = 0; report <= HeatLedger.REPORTS; report++) {
            tell(IntStream.range(0, 50)
                    .mapToObj(_ -> used(1, random.nextInt(200), random.nextDouble()))
                    .toArray(BlockHeat[]::new));
        }
        Map<BlockName, Double> before = uses();
        assertThat(ledger.crowded()).containsExactly(SUBJECT);

        ledger.merge(SUBJECT);

        assertSame(uses(), before);
        assertThat(rows()).isEqualTo(1);
        assertThat(ledger.crowded()).isEmpty();
    }

    private Map<BlockName, Double> uses() throws SQLException {
        return hottest().stream().collect(Collectors.toMap(BlockHeat::name, BlockHeat::uses));
    }

    private static void assertSame(Map<BlockName, Double> found, Map<BlockName, Double> expected) {
        assertThat(found.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, uses) -> assertThat(found.get(name)).isCloseTo(uses, within(1e-6)));
    }

    @Test
    void whoMergesWhileOthersTellAndMergeTakesNothingAway() throws Exception {
        int tellers = 4;
        int reports = 50;
        List<Callable<Boolean>> work = new ArrayList<>();
        for (int teller = 0; teller < tellers; teller++) {
            work.add(() -> {
                for (int report = 0; report < reports; report++) {
                    tell(used(1, report % 10, 0));
                }
                return true;
            });
        }
        for (int merger = 0; merger < 2; merger++) {
            work.add(() -> {
                for (int i = 0; i < 20; i++) {
                    ledger.merge(SUBJECT);
                }
                return true;
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(work.size())) {
            for (Future<Boolean> done : threads.invokeAll(work)) {
                assertThat(done.get()).isTrue();
            }
        }

        Map<BlockName, Double> expected = new HashMap<>();
        for (int block = 0; block < 10; block++) {
            BlockHeat all = used(1, block, Math.log(tellers * reports / 10.0) / Math.log(2));
            expected.put(all.name(), all.uses());
        }
        assertSame(uses(), expected);
    }

    @Test
    void ofMoreThanIsKeptThoseUsedLeastAreForgotten() throws SQLException {
        int many = HeatMap.MOST_BLOCKS + 1_000;
        int portion = 10_000;
        for (int from = 0; from < many; from += portion) {
            tell(IntStream.range(from, Math.min(many, from + portion))
                    .mapToObj(block -> used(1, block, block / 1e6))
                    .toArray(BlockHeat[]::new));
        }

        ledger.merge(SUBJECT);

        List<BlockHeat> kept = hottest();
        assertThat(kept).hasSize(HeatMap.MOST_BLOCKS);
        assertThat(kept.getFirst()).isEqualTo(used(1, many - 1, (many - 1) / 1e6));
        assertThat(kept.getLast()).isEqualTo(used(1, 1_000, 1_000 / 1e6));
        assertThat(rows()).isEqualTo(HeatMap.MOST_BLOCKS / HeatLedger.ROW_BLOCKS);
    }

    @Test
    void whatNobodyTellsOfForLongIsForgotten() throws SQLException {
        tell(used(1, 1, 0));
        age(HeatLedger.KEPT.toDays() + " days");
        age("-1 hour");
        ledger.forget();
        assertThat(hottest()).hasSize(1);

        age("1 hour");
        ledger.forget();

        assertThat(hottest()).isEmpty();
    }
}
