package dev.kvstore.dataplane.memory;

import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Advice to the kernel about memory: madvise(2). The numbers are the same on every architecture that Java runs on. */
enum MemoryAdvice {
    /** MADV_HUGEPAGE: huge pages are wanted there. */
    HUGE_PAGES(14),

    /** MADV_DONTNEED: the pages are free, and are zeros when they are used again. */
    NOT_NEEDED(4);

    private static final System.Logger LOG = System.getLogger(MemoryAdvice.class.getName());

    private static final @Nullable MethodHandle MADVISE = find();

    private final int number;

    MemoryAdvice(int number) {
        this.number = number;
    }

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

    /** Gives the advice. A kernel that does not take it changes nothing. */
    void give(ByteBuffer memory) {
        if (MADVISE == null) {
            return;
        }
        try {
            int failed = (int) MADVISE.invokeExact(MemorySegment.ofBuffer(memory), (long) memory.capacity(), number);
            if (failed != 0) {
                LOG.log(Level.DEBUG, "the kernel does not take the advice {0}", this);
            }
        } catch (Throwable e) {
            // The kernel is free not to take advice.
            LOG.log(Level.DEBUG, "madvise", e);
        }
    }
}
