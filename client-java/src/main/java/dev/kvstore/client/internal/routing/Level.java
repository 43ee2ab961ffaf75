package dev.kvstore.client.internal.routing;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The data planes of a level, and the choice among them. Immutable, except for the health and load of its data planes.
 */
final class Level<C extends Candidate> {
    private final int index;
    private final String region;
    private final long seed;
    private final int share;
    private final List<Picker.Member<C>> members;
    private final Comeback comeback;

    /** @param name the name of the level, different from those of all other levels */
    Level(int index, String region, String name, int share, List<Picker.Member<C>> members, Comeback comeback) {
        this.index = index;
        this.region = region;
        this.seed = Rendezvous.seed(name);
        this.share = share;
        this.members = List.copyOf(members);
        this.comeback = comeback;
    }

    int index() {
        return index;
    }

    String region() {
        return region;
    }

    Comeback comeback() {
        return comeback;
    }

    /** Whether any of these data planes belongs to this level. */
    boolean hasAny(List<Picker.Member<C>> others) {
        return members.stream()
                .anyMatch(member -> others.stream().anyMatch(other -> other.process() == member.process()));
    }

    /** The score of the level for a key: levels win keys by their shares, as data planes do by their weights. */
    double score(long key) {
        return share == 0 ? 0 : Rendezvous.score(key, seed, share);
    }

    /** Whether any of the level's data planes is whole. */
    boolean whole(long now) {
        return hasBeyond(Set.of(), now);
    }

    /** Whether any of the level's data planes that was not tried is whole. */
    boolean hasBeyond(Set<C> tried, long now) {
        for (Picker.Member<C> member : members) {
            if (!tried.contains(member.process()) && member.process().health().state(now) == Health.State.WHOLE) {
                return true;
            }
        }
        return false;
    }

    boolean holdsBack(long key, long now) {
        comeback.observe(whole(now), now);
        return comeback.holdsBack(key, now);
    }

    /**
     * The data plane for a key: among those that may be used and that this operation has not tried, the one with the
     * highest score that does not exceed its bound. A data plane that is due for a trial is chosen if it scores higher.
     * Null if there is none.
     *
     * @param alone whether no other level could take the work
     */
    Picker.@Nullable Choice<C> choose(long key, Set<C> tried, long now, boolean alone) {
        Set<C> forced = alone ? leastBad(now) : Set.of();
        int underWay = 0;
        long weights = 0;
        for (Picker.Member<C> member : members) {
            if (usable(member, forced, now)) {
                underWay += member.process().inFlight();
                weights += member.weight();
            }
        }
        C best = null;
        C any = null;
        C trial = null;
        double bestScore = 0;
        double anyScore = 0;
        double trialScore = 0;
        for (Picker.Member<C> member : members) {
            C process = member.process();
            if (tried.contains(process)) {
                continue;
            }
            double score = Rendezvous.score(key, process.seed(), member.weight());
            if (usable(member, forced, now)) {
                if (score > anyScore) {
                    any = process;
                    anyScore = score;
                }
                if (score > bestScore && process.inFlight() < Picker.bound(underWay, member.weight(), weights)) {
                    best = process;
                    bestScore = score;
                }
            } else if (score > trialScore && process.health().state(now) == Health.State.ON_TRIAL) {
                trial = process;
                trialScore = score;
            }
        }
        if (trial != null && trialScore > anyScore && trial.health().beginTrial()) {
            return new Picker.Choice<>(trial, index, true);
        }
        C chosen = best != null ? best : any;
        return chosen == null ? null : new Picker.Choice<>(chosen, index, false);
    }

    private static <C extends Candidate> boolean usable(Picker.Member<C> member, Set<C> forced, long now) {
        return member.process().health().state(now) == Health.State.WHOLE || forced.contains(member.process());
    }

    /**
     * The least bad of the ejected data planes, as many as are needed to use {@link RoutingRules#LEAST_USED} of the
     * level.
     */
    private Set<C> leastBad(long now) {
        Set<C> forced = new HashSet<>();
        long whole = members.stream()
                .filter(member -> member.process().health().state(now) == Health.State.WHOLE)
                .count();
        long missing = (long) Math.ceil(members.size() * RoutingRules.LEAST_USED) - whole;
        if (missing > 0) {
            members.stream()
                    .map(Picker.Member::process)
                    .filter(process -> process.health().state(now) == Health.State.EJECTED
                            && !process.health().unreachable())
                    .sorted(Comparator.comparingInt(process -> process.health().ejections()))
                    .limit(missing)
                    .forEach(forced::add);
        }
        return forced;
    }

    /** The least bad of the data planes that were not tried, among equals, the key decides; null if all were tried. */
    Picker.@Nullable Choice<C> lastResort(long key, Set<C> tried) {
        return members.stream()
                .filter(member -> !tried.contains(member.process()))
                .min(Comparator.<Picker.Member<C>>comparingInt(
                                member -> member.process().health().ejections())
                        .thenComparing(member ->
                                -Rendezvous.score(key, member.process().seed(), member.weight())))
                .map(member -> new Picker.Choice<>(member.process(), index, false))
                .orElse(null);
    }
}
