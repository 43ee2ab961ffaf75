package dev.kvstore.benchmark.attack;

import java.io.IOException;
import java.util.random.RandomGenerator;

/**
 * One way to hurt others.
 *
 * @param name of the attack, for {@code --only}
 * @param text a description of the attack
 * @param target which program an honest client calls meanwhile
 * @param stage the work that goes on there at the same time
 */
record Attack(String name, String text, AttackTarget target, Stage stage, AttackStart beginning) {
    /** Nothing else goes on. */
    Attack(String name, String text, AttackTarget target, AttackStart beginning) {
        this(name, text, target, Stage.ONE_REGION, beginning);
    }

    /** The work that a control plane does at the same time. */
    enum Stage {
        ONE_REGION(1),
        /** It is known how blocks of many accounts are used. */
        HEAT(1),
        /** The honest client's blocks are copied into a second region, slowly. */
        WARMING(2);

        private final int regions;

        Stage(int regions) {
            this.regions = regions;
        }

        int regions() {
            return regions;
        }
    }

    /** The program under attack. */
    enum AttackTarget {
        /**
         * As docs/operations/numa.md adds it up for {@code kv up}: heap 512, blocks and messages 896, an eighth of all
         * beside them.
         */
        DATA_PLANE(1609L << 20),
        /**
         * As docs/operations/control-plane.md says: the heap, and as much again for code, threads and network memory.
         */
        CONTROL_PLANE(1024L << 20),
        /** The same, called by an honest admin too. */
        ADMIN_API(1024L << 20),
        /** The same, and an admin makes keys and revokes them, of which data planes have to hear. */
        REVOCATIONS(1024L << 20);

        private final long mostBytes;

        AttackTarget(long mostBytes) {
            this.mostBytes = mostBytes;
        }

        /** Resident memory that the program never exceeds, in bytes. */
        long mostBytes() {
            return mostBytes;
        }
    }

    /** How an attack begins. */
    @FunctionalInterface
    interface AttackStart {
        /**
         * Begins, and goes on until it is closed.
         *
         * @param random thread-safe
         */
        RunningAttack begin(AttackScene scene, RandomGenerator random) throws IOException, InterruptedException;
    }

    /** An attack that goes on. */
    interface RunningAttack extends AutoCloseable {
        /** Requests, connections or lookups of the attacker so far. */
        long done();

        /** Answers that the attacker must not get, so far. */
        default long won() {
            return 0;
        }

        /** Ends it. */
        @Override
        void close();
    }
}
