package dev.kvstore.dataplane.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.Optional;

/**
 * The NUMA nodes from which Linux takes the memory that a thread, or a thread that it starts later, touches first. See
 * set_mempolicy(2): glibc does not have it, so it is called by its number. Stateless.
 */
record MemoryPolicy(MethodHandle systemCall, long set, long get) {
    /** MPOL_DEFAULT: memory comes from the node of the CPU that touches it, while that node has some. */
    static final int DEFAULT = 0;

    /** MPOL_BIND: memory comes from these nodes alone. */
    static final int BIND = 2;

    private static final int MASK_BYTES = Long.BYTES;

    /** The kernel looks at one bit fewer than it is told of. */
    private static final long MASK_BITS = Long.SIZE + 1L;

    /** The numbers of set_mempolicy and get_mempolicy, by architecture as the JVM calls it. */
    private static final Map<String, long[]> NUMBERS =
            Map.of("amd64", new long[] {238, 239}, "aarch64", new long[] {237, 236});

    /** The memory policy of this system; empty where there is none, or native calls are not allowed. */
    @SuppressWarnings("restricted") // jvm.options allows native access
    static Optional<MemoryPolicy> ofThisSystem() {
        long[] numbers = NUMBERS.get(System.getProperty("os.arch", ""));
        if (numbers == null || !System.getProperty("os.name", "").equals("Linux")) {
            return Optional.empty();
        }
        FunctionDescriptor call = FunctionDescriptor.of(
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG);
        try {
            Linker linker = Linker.nativeLinker();
            return linker.defaultLookup()
                    .find("syscall")
                    .map(address -> new MemoryPolicy(
                            linker.downcallHandle(address, call, Linker.Option.firstVariadicArg(1)),
                            numbers[0],
                            numbers[1]));
        } catch (IllegalCallerException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    /**
     * Binds the memory of this thread, and of each thread that it starts later.
     *
     * @param node 0 to 63
     * @return whether the system allows it
     */
    boolean bind(int node) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
            mask.set(ValueLayout.JAVA_LONG, 0, 1L << node);
            return call(set, BIND, mask, MASK_BITS) == 0;
        }
    }

    /** The policy of this thread; empty if the system does not tell. */
    Optional<Integer> current() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mode = arena.allocate(Long.BYTES, Long.BYTES);
            return call(get, mode.address(), MemorySegment.NULL, 0) == 0
                    ? Optional.of(mode.get(ValueLayout.JAVA_INT, 0))
                    : Optional.empty();
        }
    }

    private long call(long number, long first, MemorySegment second, long third) {
        try {
            return (long) systemCall.invokeExact(number, first, second, third, MemorySegment.NULL, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
