package dev.kvstore.client.internal.routing;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds, for each level of a new route, the level of the old route whose state it takes over. A level is identified by
 * its data planes, and not by its position: if all of a cluster is lost, the next level of its region moves up, and its
 * data planes have served all the while. A level that has only new data planes takes over the state of a level of its
 * region that the new route lacks. Immutable.
 */
final class Succession<C extends Candidate> {
    private final List<Level<C>> before;
    private final Set<Level<C>> staying = new HashSet<>();

    /** @param members the data planes of each level of the new route */
    Succession(List<Level<C>> before, List<List<Picker.Member<C>>> members) {
        this.before = before;
        members.forEach(each -> with(each).forEach(staying::add));
    }

    private Stream<Level<C>> with(List<Picker.Member<C>> members) {
        return before.stream().filter(level -> level.hasAny(members));
    }

    /** The state by which a level of the new route gets its keys. */
    Comeback comeback(String region, List<Picker.Member<C>> members, long now) {
        return with(members)
                .map(Level::comeback)
                .min(Comeback.MOST_KEYS_FIRST)
                .or(() -> before.stream()
                        .filter(level -> level.region().equals(region) && !staying.contains(level))
                        .map(Level::comeback)
                        .findFirst())
                .map(Comeback::copy)
                .orElseGet(() -> before.isEmpty() ? Comeback.there() : Comeback.since(now));
    }
}
