package dev.kvstore.dataplane.memory;

import java.nio.ByteBuffer;

/**
 * Pages of 2 MiB instead of 4 KiB, where Linux gives them on request (<i>transparent huge pages</i>): a block is then a
 * few pieces for a disk and not three hundred, and the processor finds its addresses sooner.
 */
final class HugePages {
    /**
     * Bytes of a huge page, on x86 and on ARM with pages of 4 KiB. Where huge pages are longer, blocks do not get them.
     */
    static final int BYTES = 2 << 20;

    private HugePages() {}

    /** Asks for huge pages. Where there are none, access is slower and nothing else changes. */
    static void ask(ByteBuffer memory) {
        MemoryAdvice.HUGE_PAGES.give(memory);
    }
}
