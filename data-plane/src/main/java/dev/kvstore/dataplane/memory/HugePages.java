package dev.kvstore.dataplane.memory;

import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Pages of 2 MiB instead of 4 KiB, where Linux gives them on request (<i>transparent huge pages</i>): a block is then a
 * few pieces for a disk and not three hundred, and the processor finds its addresses sooner.
 */
final class HugePages {
    /**
     * Bytes of a huge page, on x86 and on ARM with pages of 4 KiB. Where huge pages are longer, blocks do not get them.
     */
    static final int BYTES = 2 << 20;

    private static final System.Logger LOG = System.getLogger(HugePages.class.getName());

    /** MADV_HUGEPAGE of madvise(2): the same number on every architecture that Java runs on. */
    private static final int ADVICE = 14;

    private static final @Nullable MethodHandle MADVISE = find();

    private HugePages() {}

    @SuppressWarnings("restricted") // jvm.options allows native access
    private static @Nullable MethodHandle find() {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            return null;
        }
        FunctionDescriptor madvise = FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT);
        try {
            Linker linker = Linker.nativeLinker();
            return linker.defaultLookup()
                    .find("madvise")
                    .map(address -> linker.downcallHandle(address, madvise))
                    .orElse(null);
        } catch (IllegalCallerException | UnsupportedOperationException e) {
            LOG.log(Level.DEBUG, "this JVM calls no native function: {0}", e.getMessage());
            return null;
        }
    }

    /** Asks for them. Where there are none, nothing changes: it is only slower. */
    static void ask(ByteBuffer memory) {
        if (MADVISE == null) {
            return;
        }
        try {
            int failed = (int) MADVISE.invokeExact(MemorySegment.ofBuffer(memory), (long) memory.capacity(), ADVICE);
            if (failed != 0) {
                LOG.log(Level.DEBUG, "the kernel has no huge pages for blocks");
            }
        } catch (Throwable e) {
            // It was advice.
            LOG.log(Level.DEBUG, "madvise", e);
        }
    }
}
