package dev.kvstore.benchmark.attack;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All attacks, in the order in which they are tried. */
final class Attacks {
    private static final List<Attack> ALL = Stream.of(
                    StrangerAttacks.all(),
                    StrangerAttacks.ofTenants(),
                    TenantAttacks.all(),
                    ControlAttacks.all(),
                    FeedAttacks.all(),
                    SlotAttacks.all(),
                    RogueAttacks.all())
            .flatMap(List::stream)
            .toList();

    private Attacks() {}

    static List<Attack> all() {
        return ALL;
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
