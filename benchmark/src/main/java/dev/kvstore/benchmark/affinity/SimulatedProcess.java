package dev.kvstore.benchmark.affinity;

import dev.kvstore.client.internal.routing.Candidate;
import dev.kvstore.client.internal.routing.Health;
import dev.kvstore.client.internal.routing.Picker;
import dev.kvstore.client.internal.routing.Rendezvous;
import dev.kvstore.client.internal.routing.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** A process that the SDK's own picker chooses, without sockets. For one thread. */
final class SimulatedProcess implements Candidate {
    private final int number;
    private final long seed;
    private final Health health = new Health();

    private SimulatedProcess(int number, String name) {
        this.number = number;
        this.seed = Rendezvous.seed(name);
    }

    int number() {
        return number;
    }

    @Override
    public long seed() {
        return seed;
    }

    /** One operation at a time: none is under way when the next is chosen. */
    @Override
    public int inFlight() {
        return 0;
    }

    @Override
    public Health health() {
        return health;
    }

    /** A number of equal processes of one level. */
    static final class SimulatedLevel {
        private final Picker<SimulatedProcess> picker = new Picker<>();
        private final Map<String, SimulatedProcess> processes = new HashMap<>();

        SimulatedLevel(int size) {
            List<Route.Target> targets = IntStream.range(0, size)
                    .mapToObj(i -> new Route.Target("bench/" + i, "1", "127.0.0.1:" + (1 + i), 1))
                    .toList();
            picker.follow(
                    new Route("1", List.of(new Route.Level("home", 1, targets))),
                    target -> processes.computeIfAbsent(
                            target.id(), name -> new SimulatedProcess(processes.size(), name)),
                    0);
        }

        SimulatedProcess pick(long key) {
            Picker.Choice<SimulatedProcess> choice = picker.pick(key, Set.of(), 1);
            if (choice == null) {
                throw new IllegalStateException("a fleet has processes");
            }
            return choice.process();
        }
    }
}
