package dev.kvstore.dataplane.storage.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.memory.BlockMemory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Memory for direct I/O. */
final class DirectIoTest {
    /** More than there are places in a page at which the system's allocator lets memory begin. */
    private static final int MANY = 1_000;

    @Test
    void aPageHasOnePageWhereverItsMemoryLies() {
        List<ByteBuffer> pages = Stream.generate(DirectIo::newPage).limit(MANY).toList();

        assertThat(pages).allSatisfy(page -> {
            assertThat(page.capacity()).isEqualTo(BlockMemory.PAGE_BYTES);
            assertThat(page.alignmentOffset(0, BlockMemory.PAGE_BYTES)).isZero();
        });
    }
}
