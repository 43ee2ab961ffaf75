package dev.kvstore.benchmark.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClearingTest {
    private static final Partition PARTITION = Partition.of("written");
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    @TempDir
    Path storage;

    private Path partition = Path.of("");

    @BeforeEach
    void partition() throws IOException {
        partition = storage.resolve("blobs/kv/v1").resolve(PARTITION.root().hex());
        for (String folder : List.of("ab", "presence")) {
            Files.createDirectories(partition.resolve(folder));
        }
    }

    @Test
    void whatWasWrittenAWhileAgoIsEmptiedAndWhatIsNewStays() throws Exception {
        Path old = file("ab/01+", NOW.minusSeconds(2));
        Path fresh = file("ab/02+", NOW.minusMillis(100));
        try (Clearing _ = clearing(1_200_000)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> Files.size(old) == 0);
        }
        assertThat(fresh).isNotEmptyFile();
    }

    @Test
    void whatIsKeptBesideBlocksStays() throws Exception {
        Path descriptor = file("partition+", NOW.minusSeconds(60));
        Path snapshot = file("presence/1+", NOW.minusSeconds(60));
        Path block = file("ab/01+", NOW.minusSeconds(60));
        try (Clearing _ = clearing(1_200_000)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> Files.size(block) == 0);
        }
        assertThat(descriptor).isNotEmptyFile();
        assertThat(snapshot).isNotEmptyFile();
    }

    @Test
    void smallBlocksStay() throws Exception {
        Path small = file("ab/01+", NOW.minusSeconds(60));
        clearing(512).close();
        assertThat(small).isNotEmptyFile();
    }

    private Clearing clearing(int blockBytes) {
        return new Clearing(storage, PARTITION, blockBytes, InstantSource.fixed(NOW));
    }

    private Path file(String name, Instant modified) throws IOException {
        Path file = partition.resolve(name);
        Files.writeString(file, "x");
        return Files.setLastModifiedTime(file, FileTime.from(modified));
    }
}
