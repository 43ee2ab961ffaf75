package dev.kvstore.benchmark.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.benchmark.mainjob.ClientSample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that Writes are compared with are durable. */
class DurableFilesTest {
    private static final int FILE_BYTES = 100_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final ClientSample sample = new ClientSample();

    @SuppressWarnings("NullAway.Init")
    private DurableFiles files;

    @BeforeEach
    void make() throws Exception {
        files = new DurableFiles(folder, folder.resolve("aside"), FILE_BYTES);
    }

    private List<Path> there() throws Exception {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void everyFileIsUnderItsNameAloneAndWhole() throws Exception {
        files.once(sample);
        files.once(sample);

        assertThat(there()).hasSize(2).allSatisfy(file -> {
            assertThat(file).hasSize(FILE_BYTES).startsWith(folder.resolve("blobs/kv/v1"));
        });
        assertThat(sample.bytes.sum()).isEqualTo(2 * MeasuredDataPlane.BLOCK_BYTES);
        assertThat(sample.latency.percentiles().count()).isEqualTo(2);
    }

    @Test
    void whatWasMeasuredIsEmptiedAndPutAside() throws Exception {
        files.once(sample);

        files.finish();

        assertThat(there()).hasSize(1).allSatisfy(file -> {
            assertThat(file).isEmptyFile().startsWith(folder.resolve("aside"));
        });
    }

    @Test
    void aFileThatIsWrongIsNoticed() throws Exception {
        files.once(sample);
        Path file = there().getFirst();
        byte[] bytes = Files.readAllBytes(file);
        bytes[70_000] ^= 1;
        Files.write(file, bytes);

        assertThatThrownBy(() -> files.finish()).hasMessage("a file read back differs at byte 70000");
    }
}
