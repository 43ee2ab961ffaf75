package dev.kvstore.benchmark.kvcache.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files past the page cache. */
class KvCacheDiskTierTest extends TierContract {
    @TempDir(factory = OnDisk.class)
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Override
    Tier open(NoiseContent content) throws IOException {
        return KvCacheDiskTier.in(folder, content);
    }

    @Test
    void noticesAPageThatChangedOnDisk() throws IOException {
        try (Tier tier = KvCacheDiskTier.in(folder.resolve("changed"), new NoiseContent(1))) {
            Scratch memory = new Scratch();
            EntryBytes blob = new EntryBytes(7, NoiseContent.seed("a"), 100_000);
            tier.write(blob, memory, _ -> {});
            try (RandomAccessFile file =
                    new RandomAccessFile(file(folder.resolve("changed"), "7").toFile(), "rw")) {
                file.seek(8_192);
                file.write(new byte[16]);
            }

            assertThatIOException()
                    .isThrownBy(() -> tier.read(blob, memory, true, _ -> {}))
                    .withMessage("entry 7 was read with wrong bytes at 8192");
        }
    }

    @Test
    void leavesNothingBehind() throws IOException {
        Path place = folder.resolve("left");
        try (Tier tier = KvCacheDiskTier.in(place, new NoiseContent(1))) {
            tier.write(new EntryBytes(1, 1, 10_000), new Scratch(), _ -> {});
        }

        try (Stream<Path> left = Files.list(place)) {
            assertThat(left).isEmpty();
        }
    }

    private static Path file(Path place, String name) throws IOException {
        try (Stream<Path> all = Files.walk(place)) {
            List<Path> found = all.filter(path -> path.endsWith(name)).toList();
            return found.getFirst();
        }
    }
}
