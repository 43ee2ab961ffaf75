package dev.kvstore.simulation.world;

import java.lang.ref.Cleaner;

/** Cleaners that never run by themselves: the host counts the objects that were not given back. */
public final class HostCleaners {
    private static final Cleaner UNUSED = Cleaner.create();

    private HostCleaners() {}

    @InPlaceOf(Cleaner.class)
    public static Cleaner create() {
        return UNUSED;
    }

    @InPlaceOf(Cleaner.class)
    public static Cleaner.Cleanable register(Cleaner unused, Object owner, Runnable clean) {
        return new HostCleanable(World.current().host(), clean);
    }

    private static final class HostCleanable implements Cleaner.Cleanable {
        private final SimulatedHost host;
        private final Runnable clean;
        private boolean isClean;

        HostCleanable(SimulatedHost host, Runnable clean) {
            this.host = host;
            this.clean = clean;
            host.unclean(1);
        }

        @Override
        public void clean() {
            if (!isClean) {
                isClean = true;
                host.unclean(-1);
                clean.run();
            }
        }
    }
}
