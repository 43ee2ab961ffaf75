package dev.kvstore.client.internal.routing;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A process that is only counted and judged. */
final class FakeCandidate implements Candidate {
    final String name;
    final Health health = new Health();
    int inFlight;

    FakeCandidate(String name) {
        this.name = name;
    }

    /** Levels of a share and so many processes of weight 1 each. */
    static Route route(String version, Object... sharesAndSizes) {
        return new Route(
                version,
                IntStream.range(0, sharesAndSizes.length / 2)
                        .mapToObj(i -> level(
                                "region-" + i, (Integer) sharesAndSizes[2 * i], (Integer) sharesAndSizes[2 * i + 1]))
                        .toList());
    }

    static Route.Level level(String region, int share, int size) {
        List<Route.Target> targets = IntStream.range(0, size)
                .mapToObj(i -> new Route.Target(region + "/" + i, "1", "127.0.0.1:" + (8085 + i), 1))
                .toList();
        return new Route.Level(region, share, targets);
    }

    @Override
    public long seed() {
        return Rendezvous.seed(name);
    }

    @Override
    public int inFlight() {
        return inFlight;
    }

    @Override
    public Health health() {
        return health;
    }

    @Override
    public String toString() {
        return name;
    }

    /** A picker over fakes, each of which stays the same from route to route. */
    static final class FakeFleet {
        final Picker<FakeCandidate> picker = new Picker<>();
        final Map<String, FakeCandidate> processes = new HashMap<>();

        FakeFleet(Route route) {
            follow(route, 0);
        }

        void follow(Route route, long now) {
            picker.follow(route, target -> processes.computeIfAbsent(target.id(), FakeCandidate::new), now);
        }

        FakeCandidate pick(long key, long now, FakeCandidate... tried) {
            Picker.Choice<FakeCandidate> choice = choose(key, now, tried);
            if (choice == null) {
                throw new AssertionError("no process");
            }
            return choice.process();
        }

        Picker.@Nullable Choice<FakeCandidate> choose(long key, long now, FakeCandidate... tried) {
            return picker.pick(key, Set.of(tried), now);
        }

        FakeCandidate get(String name) {
            FakeCandidate process = processes.get(name);
            if (process == null) {
                throw new AssertionError("no process " + name);
            }
            return process;
        }

        /** Every process of a region fails now. */
        void fail(String region, long now) {
            processes.values().stream()
                    .filter(process -> process.name.startsWith(region))
                    .forEach(process -> process.health.failed(now, now, true));
        }

        void heal(String region, long now) {
            processes.values().stream()
                    .filter(process -> process.name.startsWith(region))
                    .forEach(process -> process.health.answered(now));
        }
    }
}
