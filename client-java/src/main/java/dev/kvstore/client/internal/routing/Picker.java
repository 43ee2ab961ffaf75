package dev.kvstore.client.internal.routing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides which data plane an operation goes to. {@link Rendezvous} maps a key to a level by the levels' shares, and
 * within the level to a data plane by weights. Equal keys go to one data plane while it is whole and has no more than
 * {@link RoutingRules#LOAD_FACTOR} times its share of this client's open operations. Otherwise they go to the key's
 * next choice in the level; if none is left, to the levels after that one, then to the levels before it. When a level
 * is back, its keys return over {@link RoutingRules#RETURN}. Thread-safe.
 */
public final class Picker<C extends Candidate> {
    /** A data plane and its weight in the level. */
    public record Member<C>(C process, int weight) {}

    /**
     * The choice for an operation.
     *
     * @param level the index of the level in the route
     * @param trial whether the operation tries an ejected data plane; {@link Health#endTrial} must follow
     */
    public record Choice<C>(C process, int level, boolean trial) {}

    private volatile List<Level<C>> fleet = List.of();

    /**
     * The most open operations that a data plane may have after one more, if all of the level together have {@code
     * underWay}.
     */
    public static int bound(int underWay, int weight, long weights) {
        double share = RoutingRules.LOAD_FACTOR * (underWay + 1) * weight / weights;
        return Math.max(RoutingRules.LEAST_BOUND, (int) Math.ceil(share));
    }

    /**
     * Uses a new route. A level whose data planes are all new gets its keys over {@link RoutingRules#RETURN}. One
     * thread at a time may call this.
     *
     * @param route the route; levels without targets are left out
     * @param process returns the data plane of a target, the same object for the same data plane
     */
    public void follow(Route route, Function<Route.Target, C> process, long now) {
        List<List<Member<C>>> members =
                route.levels().stream().map(level -> members(level, process)).toList();
        Succession<C> succession = new Succession<>(fleet, members);
        Set<String> names = new HashSet<>();
        List<Level<C>> levels = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            if (!members.get(i).isEmpty()) {
                Route.Level level = route.levels().get(i);
                Comeback comeback = succession.comeback(level.region(), members.get(i), now);
                String name = name(level.region(), names);
                levels.add(new Level<>(i, level.region(), name, level.share(), members.get(i), comeback));
            }
        }
        fleet = List.copyOf(levels);
    }

    private static <C> List<Member<C>> members(Route.Level level, Function<Route.Target, C> process) {
        return level.targets().stream()
                .map(target -> new Member<>(process.apply(target), target.weight()))
                .toList();
    }

    /** A unique name for a level of a region, which may have several levels. */
    private static String name(String region, Set<String> names) {
        String name = region;
        while (!names.add(name)) {
            name += "+";
        }
        return name;
    }

    /** The level of a key while all levels work; -1 if there is no data plane. */
    public int home(long key) {
        List<Level<C>> levels = fleet;
        return levels.isEmpty() ? -1 : levels.get(home(levels, key)).index();
    }

    /**
     * The data plane for an operation; null if there is none.
     *
     * @param tried data planes at which this operation has failed
     */
    public @Nullable Choice<C> pick(long key, Set<C> tried, long now) {
        List<Level<C>> levels = order(key);
        for (int i = 0; i < levels.size(); i++) {
            Level<C> level = levels.get(i);
            boolean heldBack = level.holdsBack(key, now);
            boolean alone = !anyWhole(levels, level, now);
            if (heldBack && !alone) {
                continue;
            }
            Choice<C> choice = level.choose(key, tried, now, alone);
            if (choice != null) {
                return choice;
            }
        }
        for (Level<C> level : levels) {
            Choice<C> choice = level.choose(key, tried, now, true);
            if (choice != null) {
                return choice;
            }
        }
        Choice<C> choice = lastResort(levels, key, tried);
        return choice != null ? choice : lastResort(levels, key, Set.of());
    }

    /** Whether there is a data plane that is whole and was not tried. */
    public boolean hasBeyond(Set<C> tried, long now) {
        for (Level<C> level : fleet) {
            if (level.hasBeyond(tried, now)) {
                return true;
            }
        }
        return false;
    }

    private static <C extends Candidate> boolean anyWhole(List<Level<C>> levels, Level<C> butFor, long now) {
        for (Level<C> level : levels) {
            if (level != butFor && level.whole(now)) {
                return true;
            }
        }
        return false;
    }

    private static <C extends Candidate> @Nullable Choice<C> lastResort(List<Level<C>> levels, long key, Set<C> tried) {
        return levels.stream()
                .map(level -> level.lastResort(key, tried))
                .filter(choice -> choice != null)
                .min(Comparator.comparingInt(choice -> choice.process().health().ejections()))
                .orElse(null);
    }

    /** The level of a key, the levels after it, and then those before it. */
    private List<Level<C>> order(long key) {
        List<Level<C>> levels = fleet;
        if (levels.size() < 2) {
            return levels;
        }
        int home = home(levels, key);
        List<Level<C>> order = new ArrayList<>(levels.subList(home, levels.size()));
        order.addAll(levels.subList(0, home));
        return order;
    }

    private static <C extends Candidate> int home(List<Level<C>> levels, long key) {
        int home = 0;
        double highest = levels.get(0).score(key);
        for (int i = 1; i < levels.size(); i++) {
            double score = levels.get(i).score(key);
            if (score > highest) {
                home = i;
                highest = score;
            }
        }
        return home;
    }
}
