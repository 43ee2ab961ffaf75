package dev.kvstore.benchmark.attack;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One way to hurt others.
 *
 * @param name of the attack, for {@code --only}
 * @param text a description of the attack
 * @param target which program an honest client calls meanwhile
 * @param stage the work that goes on there at the same time
 * @param start begins the attack, which goes on until it is closed
 */
record Attack(String name, String text, AttackTarget target, Stage stage, AttackStart start) {
    /** All attacks, in the order of a run. */
    static final List<Attack> ALL = Stream.of(
                    ConnectionAttacks.all(), TenantAttacks.all(), AdminAttacks.all(), RogueAttacks.all())
            .flatMap(List::stream)
            .toList();

    /** Nothing else goes on. */
    Attack(String name, String text, AttackTarget target, AttackStart start) {
        this(name, text, target, Stage.ONE_REGION, start);
    }

    /** The work that a control plane does at the same time. */
    enum Stage {
        ONE_REGION,
        /** The control plane's database holds the heat of many accounts' blocks. */
        HEAT,
        /** The honest client's blocks are copied into a second region, slowly. */
        WARMING
    }

    /** The program under attack. */
    enum AttackTarget {
        /**
         * A data plane of {@code kv up}. Its limit is the sum in docs/operations/numa.md: 512 MiB of heap, 896 MiB of
         * blocks and messages, and an eighth of the whole for the rest.
         */
        DATA_PLANE(1609L << 20),
        /**
         * A control plane. Its limit is the one in docs/operations/control-plane.md: 512 MiB of heap, and as much again
         * for code, threads and network memory.
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
        AttackLoad begin(AttackScene scene) throws IOException;
    }

    /**
     * The attack of a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Attack of(String name) {
        return ALL.stream()
                .filter(attack -> attack.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no attack is called " + name + "; there are "
                        + ALL.stream().map(Attack::name).collect(Collectors.joining(", "))));
    }
}
