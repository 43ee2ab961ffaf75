package dev.kvstore.dataplane.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HugePagesTest {
    private static final Path THERE = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    @Test
    void theKernelIsAskedForHugePagesForBlocks() throws IOException {
        assumeThat(THERE).as("this kernel has no transparent huge pages").exists();
        PageHeap heap = new PageHeap(0);
        Span all = heap.take(PageHeap.CHUNK_BYTES / BlockMemory.PAGE_BYTES);
        try {
            long first = MemorySegment.ofBuffer(all.memory()).address();
            assertThat(flags(first)).contains("hg");
            assertThat(flags(first + PageHeap.CHUNK_BYTES - 1)).contains("hg");
        } finally {
            heap.giveBack(all);
        }
    }

    /** The kernel's flags of the mapping that an address is in: proc(5), {@code VmFlags}. */
    private static List<String> flags(long address) throws IOException {
        boolean within = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                String[] ends = line.substring(0, line.indexOf(' ')).split("-", -1);
                within =
                        Long.parseUnsignedLong(ends[0], 16) <= address && address < Long.parseUnsignedLong(ends[1], 16);
            } else if (within && line.startsWith("VmFlags:")) {
                return List.of(line.split(" +", -1));
            }
        }
        return List.of();
    }
}
