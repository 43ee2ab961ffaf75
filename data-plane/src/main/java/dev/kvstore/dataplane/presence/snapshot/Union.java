package dev.kvstore.dataplane.presence.snapshot;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;

/** The union of several ascending sequences: each fingerprint once, in ascending order. For one thread. */
final class Union implements PrimitiveIterator.OfLong {
    /** The end of a sequence: more than any fingerprint. */
    private static final long END = Long.MAX_VALUE;

    private final List<PrimitiveIterator.OfLong> sources;
    private final long[] heads;
    private long next;

    /** @param sources each in ascending order */
    Union(List<PrimitiveIterator.OfLong> sources) {
        this.sources = List.copyOf(sources);
        this.heads = new long[sources.size()];
        for (int i = 0; i < heads.length; i++) {
            advance(i);
        }
        next = least();
    }

    private void advance(int source) {
        PrimitiveIterator.OfLong from = sources.get(source);
        heads[source] = from.hasNext() ? from.nextLong() : END;
    }

    private long least() {
        long least = END;
        for (long head : heads) {
            least = Math.min(least, head);
        }
        return least;
    }

    @Override
    public boolean hasNext() {
        return next != END;
    }

    @Override
    public long nextLong() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        long least = next;
        for (int i = 0; i < heads.length; i++) {
            while (heads[i] == least) {
                advance(i);
            }
        }
        next = least();
        return least;
    }
}
