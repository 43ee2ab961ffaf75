package dev.kvstore.dataplane.tier.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterTry;

/** Whatever happens to a disk tier and its files, it serves the last bytes it was given for a block, or none. */
@Tag("slow")
final class DiskTierPropertiesTest {
    private static final int KEYS = 30;
    private static final int FLIPS_PER_TRY = 100;

    private final Records records = new Records(64 << 20);
    private final Path directory = temporaryFolder();

    /** An action on a tier: a block is put, got or forgotten, or the tier is restarted. */
    private record DiskTierAction(DiskTierActionKind kind, int key, int bytes) {
        private enum DiskTierActionKind {
            PUT,
            GET,
            FORGET,
            SETTLE,
            RESTART
        }
    }

    /** The block that the tier was last given for a key. */
    private record Given(long seed, int bytes) {}

    @AfterTry
    void everyByteIsGivenBack() throws IOException {
        assertThat(records.pool().usedBytes()).isZero();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Provide
    Arbitrary<List<DiskTierAction>> steps() {
        Arbitrary<DiskTierAction.DiskTierActionKind> kinds = Arbitraries.frequency(
                Tuple.of(50, DiskTierAction.DiskTierActionKind.PUT),
                Tuple.of(30, DiskTierAction.DiskTierActionKind.GET),
                Tuple.of(10, DiskTierAction.DiskTierActionKind.FORGET),
                Tuple.of(6, DiskTierAction.DiskTierActionKind.SETTLE),
                Tuple.of(4, DiskTierAction.DiskTierActionKind.RESTART));
        return Combinators.combine(
                        kinds,
                        Arbitraries.integers().between(0, KEYS - 1),
                        Arbitraries.of(1, 512, 4096, 20_000, 90_000))
                .as(DiskTierAction::new)
                .list()
                .ofMinSize(50)
                .ofMaxSize(300);
    }

    @Property(tries = 60)
    void whatComesBackIsWhatWasGivenLast(@ForAll("steps") List<DiskTierAction> steps) {
        SmallDisk disk = new SmallDisk(directory.resolve("disk"), 4);
        DiskTier tier = disk.open(records.pool());
        Map<Integer, Given> model = new HashMap<>();
        long seed = 0;
        for (DiskTierAction step : steps) {
            switch (step.kind()) {
                case PUT -> {
                    Given given = new Given(++seed, step.bytes());
                    tier.forget(records.key(step.key()));
                    records.put(tier, records.key(step.key()), given.bytes(), given.seed());
                    model.put(step.key(), given);
                    assertThat(isRightOrAbsent(tier, step.key(), model))
                            .as("just put")
                            .isTrue();
                }
                case GET -> isRightOrAbsent(tier, step.key(), model);
                case FORGET -> {
                    tier.forget(records.key(step.key()));
                    model.remove(step.key());
                }
                case SETTLE -> records.settle();
                case RESTART -> {
                    tier.close();
                    tier = disk.open(records.pool());
                }
            }
            Map<String, Long> lengths = disk.lengths();
            assertThat(lengths.values().stream().mapToLong(Long::longValue).sum())
                    .as("bytes of %s", lengths)
                    .isLessThanOrEqualTo(disk.settings().bytes());
        }
        for (int key = 0; key < KEYS; key++) {
            isRightOrAbsent(tier, key, model);
        }
        tier.close();
        assertThat(tier.counters().damaged().sum()).isZero();
        assertThat(tier.counters().errors().sum()).isZero();
    }

    private boolean isRightOrAbsent(DiskTier tier, int key, Map<Integer, Given> model) {
        Given given = model.get(key);
        if (given == null) {
            assertThat(Records.get(tier, records.key(key)))
                    .as("forgotten, or never given")
                    .isNull();
            return false;
        }
        return records.has(tier, records.key(key), given.bytes(), given.seed());
    }

    @Property(tries = 20)
    void aFlippedBitIsAMissAndNeverWrongBytes(@ForAll Random random) throws IOException {
        SmallDisk disk = new SmallDisk(directory.resolve("disk"), 4);
        int[] bytes = random.ints(60, 1, 30_000).toArray();
        try (DiskTier tier = disk.open(records.pool())) {
            IntStream.range(0, bytes.length).forEach(i -> records.put(tier, i, bytes[i]));
        }
        int found = 0;
        for (int round = 0; round < 2; round++) {
            for (int flip = 0; flip < FLIPS_PER_TRY / 2; flip++) {
                Path file =
                        disk.regionFiles().get(random.nextInt(disk.regionFiles().size()));
                SmallDisk.flip(file, random.nextLong(Files.size(file)), 1 << random.nextInt(8));
            }
            try (DiskTier tier = disk.open(records.pool())) {
                for (int i = 0; i < bytes.length; i++) {
                    found += records.has(tier, i, bytes[i]) ? 1 : 0;
                }
            }
        }
        assertThat(found).as("some of " + 2 * bytes.length).isLessThan(2 * bytes.length);
    }

    @Property(tries = 60)
    void aTornTailCostsWhatWasInItAndNothingElse(@ForAll Random random) throws IOException {
        SmallDisk disk = new SmallDisk(directory.resolve("disk"), 8);
        int blocks = 60;
        int[] bytes = random.ints(blocks, 1, 20_000).toArray();
        try (DiskTier tier = disk.open(records.pool())) {
            IntStream.range(0, blocks).forEach(i -> records.put(tier, i, bytes[i]));
        }
        long untouched = foundWithoutNewestRegion(disk, bytes);
        tear(disk.regionFiles().getLast(), random);

        try (DiskTier tier = disk.open(records.pool())) {
            long found = IntStream.range(0, blocks)
                    .filter(i -> records.has(tier, i, bytes[i]))
                    .count();
            assertThat(found).isGreaterThanOrEqualTo(untouched);
            records.put(tier, 1000, 5000);
            records.settle();
            assertThat(records.has(tier, 1000, 5000)).isTrue();
        }
        try (DiskTier tier = disk.open(records.pool())) {
            IntStream.range(0, blocks).forEach(i -> records.has(tier, i, bytes[i]));
            assertThat(records.has(tier, 1000, 5000)).isTrue();
        }
    }

    @Property(tries = 15)
    void aKillAtAnyMomentCostsWhatWasNotYetWrittenAndNothingElse(@ForAll Random random) {
        SmallDisk disk = new SmallDisk(directory.resolve("disk"), 4);
        int[] bytes = random.ints(200, 1, 30_000).toArray();
        try (DiskTier tier = disk.open(records.pool())) {
            CompletableFuture<Void> puts = CompletableFuture.runAsync(
                    () -> IntStream.range(0, bytes.length).forEach(i -> records.put(tier, i, bytes[i])));
            for (int kill = 0; kill < 4; kill++) {
                SmallDisk left = disk.killed(directory.resolve("copy-" + kill));
                Records others = new Records(64 << 20);
                try (DiskTier next = left.open(others.pool())) {
                    // Each is right, or absent.
                    IntStream.range(0, bytes.length).forEach(i -> others.has(next, i, bytes[i]));
                }
            }
            puts.join();
        }
    }

    /** Cuts a file off somewhere, or loses its pages from somewhere on, or one of them. */
    private static void tear(Path file, Random random) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            long from = random.nextLong(bytes.length());
            switch (random.nextInt(3)) {
                case 0 -> bytes.setLength(from);
                case 1 -> zero(bytes, from / 4096 * 4096, bytes.length());
                default -> zero(bytes, from / 4096 * 4096, from / 4096 * 4096 + 4096);
            }
        }
    }

    private static void zero(RandomAccessFile bytes, long from, long to) throws IOException {
        bytes.seek(from);
        bytes.write(new byte[(int) (to - from)]);
    }

    private long foundWithoutNewestRegion(SmallDisk disk, int[] bytes) throws IOException {
        SmallDisk copy = disk.killed(directory.resolve("without"));
        Files.delete(copy.regionFiles().getLast());
        try (DiskTier tier = copy.open(records.pool())) {
            return IntStream.range(0, bytes.length)
                    .filter(i -> records.has(tier, i, bytes[i]))
                    .count();
        }
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("disk-tier");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
