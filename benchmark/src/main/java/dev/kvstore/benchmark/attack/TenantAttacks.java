package dev.kvstore.benchmark.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kvstore.benchmark.attack.Attack.AttackTarget;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.PromptCalls;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/** Attacks of a tenant: it puts files beside its blocks, into its own storage, and looks the blocks up. */
final class TenantAttacks {
    private static final int BLOCK_TOKENS = 16;
    private static final int BLOCK_BYTES = 512;
    private static final int PARTITIONS = 8;
    private static final int LOOKERS = 4;
    // As long as a blob may be that a data plane has ever read whole, and of whole keys.
    private static final int BOMB_BYTES = (65 << 20) - 4;
    private static final int LOG_FIXED_BYTES = 24;
    private static final int LOG_NAMES = 100_000 / PARTITIONS;
    private static final int MANIFEST_FIXED_BYTES = 20;
    private static final int MANIFEST_RUNS = 1_000_000;
    private static final int PART_BUCKETS = 64;
    private static final int BUCKET_FINGERPRINTS = 64;

    private TenantAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("log-bomb", "a presence log of 65 MiB in each of 8 partitions", TenantAttacks::logBomb),
                attack("log-names", "100,000 names of presence logs, in 8 partitions", TenantAttacks::logNames),
                attack(
                        "manifest-bomb",
                        "a manifest of 65 MiB, of one run, in each of 8 partitions",
                        TenantAttacks::manifestBomb),
                attack(
                        "manifest-same-part",
                        "a manifest of a million runs that all are the same part, in each of 8 partitions",
                        TenantAttacks::samePart));
    }

    /** A file of a {@code file://} storage is a blob's name in the folder {@code blobs}, with a plus sign behind it. */
    @FunctionalInterface
    private interface Plant {
        /** Puts files into the folder of a partition's presence. */
        void in(Path folder, int round) throws IOException;
    }

    private static Attack attack(String name, String text, Plant plant) {
        return new Attack(
                name, text + ", and lookups there", AttackTarget.DATA_PLANE, scene -> begin(scene, name, plant));
    }

    private static AttackLoad begin(AttackScene scene, String name, Plant plant) throws IOException {
        KvClient client = KvClient.builder()
                .endpoints(scene.dataPlane())
                .resource(scene.resource())
                .apiKey(scene.key())
                .retry(RetryOptions.NONE)
                .build();
        // Partitions that no process knows yet: their files are read when they are looked up.
        int round = ThreadLocalRandom.current().nextInt(1 << 20);
        List<Prompt> prompts = IntStream.range(0, PARTITIONS)
                .mapToObj(i -> Prompt.of(Partition.of(name + "/" + round + "/" + i, BLOCK_TOKENS), i, 1))
                .toList();
        for (Prompt prompt : prompts) {
            Path presence = Path.of(scene.storage())
                    .resolve("blobs/kv/v1/" + prompt.partition().root().hex() + "/presence");
            Files.createDirectories(presence);
            plant.in(presence, round);
            // Else a write of the honest client waits until the file system has put these names into its journal.
            try (FileChannel names = FileChannel.open(presence)) {
                names.force(true);
            }
        }
        PromptCalls calls = new PromptCalls(client, BLOCK_BYTES);
        return AttackLoad.calling(
                LOOKERS,
                0,
                i -> {
                    Prompt prompt = prompts.get(i % prompts.size());
                    try {
                        var _ = calls.lookUp(prompt);
                        calls.write(prompt);
                    } catch (KvStoreException refused) {
                        // It is not the hostile one that must be served.
                    }
                    return false;
                },
                client::close);
    }

    /**
     * Writes a file of presence, which begins with its kind, its version and the number 1, and ends with the checksum of
     * the bytes before it.
     */
    private static void write(Path file, String kind, int version, int bytes, Consumer<ByteBuffer> content)
            throws IOException {
        byte[] blob = new byte[bytes];
        ByteBuffer buffer = ByteBuffer.wrap(blob).order(ByteOrder.LITTLE_ENDIAN);
        content.accept(buffer.put(kind.getBytes(US_ASCII)).putInt(version).putLong(1));
        CRC32C checksum = new CRC32C();
        checksum.update(blob, 0, buffer.position());
        buffer.putInt((int) checksum.getValue());
        Files.write(file, blob);
    }

    /** The format is that of the data plane's presence logs, version 1. */
    private static void logBomb(Path folder, int round) throws IOException {
        int keys = (BOMB_BYTES - LOG_FIXED_BYTES - Integer.BYTES) / Long.BYTES;
        write(folder.resolve("0000000000000001.0000000000000001.0+"), "KVPL", 1, BOMB_BYTES, log -> {
            log.putInt(0).putInt(keys);
            IntStream.range(0, keys).forEach(log::putLong);
        });
    }

    private static void logNames(Path folder, int round) throws IOException {
        for (int i = 0; i < LOG_NAMES; i++) {
            Files.createFile(folder.resolve("%016x.%016x.0+".formatted(round, i)));
        }
    }

    /** The format is that of the data plane's snapshots, version 2. */
    private static void manifestBomb(Path folder, int round) throws IOException {
        int parts = (BOMB_BYTES - MANIFEST_FIXED_BYTES - 2 * Integer.BYTES) / Long.BYTES;
        int size = MANIFEST_FIXED_BYTES + Integer.BYTES + parts * Long.BYTES + Integer.BYTES;
        write(folder.resolve("snapshot+"), "KVPS", 2, size, manifest -> {
            manifest.putInt(1).putInt(parts);
            IntStream.range(0, parts).forEach(manifest::putLong);
        });
    }

    /**
     * A manifest of version 2. Each run except the first gets a sieve on the heap, as large as its part; a lookup asks
     * each run.
     */
    private static void samePart(Path folder, int round) throws IOException {
        part(Files.createDirectories(folder.resolve("parts")).resolve("%016x+".formatted(1)));
        int size = MANIFEST_FIXED_BYTES + MANIFEST_RUNS * (Integer.BYTES + Long.BYTES) + Integer.BYTES;
        write(folder.resolve("snapshot+"), "KVPS", 2, size, manifest -> {
            manifest.putInt(MANIFEST_RUNS);
            IntStream.range(0, MANIFEST_RUNS).forEach(_ -> manifest.putInt(1).putLong(1));
        });
    }

    /** The part of number 1, version 1: the 4,096 lowest fingerprints, each in a slot of its own. */
    private static void part(Path file) throws IOException {
        int words = 2 * PART_BUCKETS + 3;
        int size = 36 + (PART_BUCKETS + 1) * Integer.BYTES + words * Long.BYTES + Integer.BYTES;
        write(file, "KVPF", 1, size, part -> {
            part.putLong(0).putLong(PART_BUCKETS * BUCKET_FINGERPRINTS - 1).putInt(PART_BUCKETS * BUCKET_FINGERPRINTS);
            IntStream.rangeClosed(0, PART_BUCKETS).forEach(i -> part.putInt(i * BUCKET_FINGERPRINTS));
            // Each slot is a 0 and then a 1.
            IntStream.range(0, words).forEach(i -> part.putLong(i < 2 * PART_BUCKETS ? 0xAAAA_AAAA_AAAA_AAAAL : 0));
        });
    }
}
