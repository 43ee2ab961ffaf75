package dev.kvstore.dataplane.memory;

/**
 * Whether a load may take memory for a block whose length it has just learnt. The block that is served next may take
 * memory; a block that is loaded ahead may only within the bounds of its stream. Otherwise later blocks would take the
 * memory that the next one needs. Thread-safe.
 */
@FunctionalInterface
public interface Turn {
    /** The turn of a caller that waits for this block alone: it waits for memory as long as the pool says. */
    Turn NOW = _ -> true;

    /** The turn of the load that the current thread runs; unbound if it runs none. */
    ScopedValue<Turn> CURRENT = ScopedValue.newInstance();

    /**
     * Whether so many bytes may be taken; asking again for the same load is answered alike.
     *
     * @param bytes length of the block in storage
     */
    boolean admits(int bytes);

    /** Memory within the turn of the load that this thread runs. */
    static Allocator within(Allocator allocator) {
        return length -> {
            if (CURRENT.isBound() && !CURRENT.get().admits(length)) {
                throw MemoryExhaustedException.ofTurn(length);
            }
            return allocator.allocate(length);
        };
    }
}
