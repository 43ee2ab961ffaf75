package dev.kvstore.dataplane.presence.snapshot;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import org.jspecify.annotations.Nullable;

/**
 * Parts in ascending order: the fingerprints of each part are beyond those of the part before. Immutable, thread-safe.
 */
public final class FingerprintRun {
    private final List<SnapshotPart> parts;
    private final Fingerprints[] sets;
    private final long[] firsts;

    /** Parts per fingerprint: since fingerprints are spread evenly, that tells where one is, give or take one part. */
    private final double density;

    /** The sieve, which spares most questions about absent keys; null if there is none. */
    private final @Nullable Sieve sieve;

    /**
     * @param parts one at least
     * @throws IllegalArgumentException if they do not follow each other
     */
    FingerprintRun(List<SnapshotPart> parts) {
        this(parts, null);
    }

    private FingerprintRun(List<SnapshotPart> parts, @Nullable Sieve sieve) {
        this.sieve = sieve;
        this.parts = List.copyOf(parts);
        this.sets = parts.stream().map(SnapshotPart::fingerprints).toArray(Fingerprints[]::new);
        this.firsts =
                parts.stream().mapToLong(part -> part.fingerprints().first()).toArray();
        for (int i = 1; i < sets.length; i++) {
            if (firsts[i] <= sets[i - 1].last()) {
                throw new IllegalArgumentException("parts overlap");
            }
        }
        this.density = sets.length == 1 ? 0 : (sets.length - 1) / (double) firsts[sets.length - 1];
    }

    /** This run with a sieve: for a run that has few of the keys that are asked for. */
    FingerprintRun sieved() {
        return sieve != null ? this : new FingerprintRun(parts, Sieve.of(iterator(), size()));
    }

    List<SnapshotPart> parts() {
        return parts;
    }

    long size() {
        return parts.stream().mapToLong(part -> part.fingerprints().size()).sum();
    }

    /** Approximate heap of the run, in bytes. */
    long heapBytes() {
        return bytes() + (sieve == null ? 0 : sieve.bytes());
    }

    /** Bytes of the run in storage, which are about those on the heap without a sieve. */
    long bytes() {
        return parts.stream()
                .mapToLong(part -> part.fingerprints().encodedBytes())
                .sum();
    }

    boolean contains(long fingerprint) {
        return (sieve == null || sieve.passes(fingerprint)) && sets[index(fingerprint)].contains(fingerprint);
    }

    /** The questions whose fingerprints are here, among those asked; bit i is for the i-th question. */
    long contains(KeyBatch batch, long all) {
        long asked = sieve == null ? all : sieve.pass(batch, all);
        for (long left = asked; left != 0; left &= left - 1) {
            int question = Long.numberOfTrailingZeros(left);
            int set = index(batch.fingerprint(question));
            sets[set].locate(question, set, batch);
        }
        for (long left = asked; left != 0; left &= left - 1) {
            int question = Long.numberOfTrailingZeros(left);
            Fingerprints set = sets[batch.set(question)];
            batch.fetched(question, set.fetch(batch.begin(question), batch.lows(question)));
        }
        long found = 0;
        for (long left = asked; left != 0; left &= left - 1) {
            int question = Long.numberOfTrailingZeros(left);
            long fingerprint = batch.fingerprint(question);
            boolean isHere =
                    sets[batch.set(question)].contains(fingerprint, batch.begin(question), batch.count(question));
            found |= isHere ? 1L << question : 0;
        }
        return found;
    }

    private int index(long fingerprint) {
        int at = Math.min(sets.length - 1, (int) (fingerprint * density));
        while (at > 0 && fingerprint < firsts[at]) {
            at--;
        }
        while (at < sets.length - 1 && fingerprint >= firsts[at + 1]) {
            at++;
        }
        return at;
    }

    /** All fingerprints, in ascending order. */
    PrimitiveIterator.OfLong iterator() {
        return new PrimitiveIterator.OfLong() {
            private int next = 1;
            private PrimitiveIterator.OfLong current = sets[0].iterator();

            @Override
            public boolean hasNext() {
                return current.hasNext() || next < sets.length;
            }

            @Override
            public long nextLong() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                if (!current.hasNext()) {
                    current = sets[next++].iterator();
                }
                return current.nextLong();
            }
        };
    }
}
