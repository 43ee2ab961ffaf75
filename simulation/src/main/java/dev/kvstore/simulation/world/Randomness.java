package dev.kvstore.simulation.world;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Random numbers of the host that asks. */
public final class Randomness {
    private Randomness() {}

    /** A seed for generators that would begin with a number of their own. */
    public static long seed() {
        return World.current().host().random().nextLong();
    }

    @InPlaceOf(UUID.class)
    public static UUID randomUUID() {
        return new UUID((seed() & ~0xF000L) | 0x4000L, (seed() & ~(3L << 62)) | (2L << 62));
    }

    @InPlaceOf(ThreadLocalRandom.class)
    public static int nextInt(ThreadLocalRandom unused) {
        return World.current().host().random().nextInt();
    }

    @InPlaceOf(ThreadLocalRandom.class)
    public static int nextInt(ThreadLocalRandom unused, int bound) {
        return World.current().host().random().nextInt(bound);
    }

    @InPlaceOf(ThreadLocalRandom.class)
    public static int nextInt(ThreadLocalRandom unused, int origin, int bound) {
        return World.current().host().random().nextInt(origin, bound);
    }

    @InPlaceOf(ThreadLocalRandom.class)
    public static long nextLong(ThreadLocalRandom unused) {
        return seed();
    }

    @InPlaceOf(ThreadLocalRandom.class)
    public static long nextLong(ThreadLocalRandom unused, long bound) {
        return World.current().host().random().nextLong(bound);
    }

    @InPlaceOf(ThreadLocalRandom.class)
    public static double nextDouble(ThreadLocalRandom unused) {
        return World.current().host().random().nextDouble();
    }

    /** A {@link SecureRandom} whose numbers an attacker of the simulation could guess. */
    @InPlaceOf(SecureRandom.class)
    @SuppressWarnings("serial")
    public static final class HostSecureRandom extends SecureRandom {
        @Override
        public void nextBytes(byte[] bytes) {
            World.current().host().random().nextBytes(bytes);
        }

        @Override
        public int nextInt() {
            return World.current().host().random().nextInt();
        }

        @Override
        public long nextLong() {
            return seed();
        }
    }
}
