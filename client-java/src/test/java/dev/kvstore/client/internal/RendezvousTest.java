package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RendezvousTest {
    @Property(tries = 200)
    void removingAnEndpointMovesOnlyTheKeysItWasFirstFor(
            @ForAll long key, @ForAll @IntRange(min = 2, max = 12) int count, @ForAll @IntRange(max = 11) int gone) {
        List<String> endpoints = names(count);
        List<String> rest = new ArrayList<>(endpoints);
        String removed = rest.remove(gone % count);
        List<String> expected = new ArrayList<>(Rendezvous.rank(key, endpoints, Rendezvous::seed));
        expected.remove(removed);
        assertThat(Rendezvous.rank(key, rest, Rendezvous::seed)).isEqualTo(expected);
    }

    @Test
    void keysSpreadEvenly() {
        List<String> endpoints = names(8);
        int[] first = new int[8];
        for (int i = 0; i < 80_000; i++) {
            long key = Rendezvous.seed("conversation-" + i);
            first[
                    endpoints.indexOf(
                            Rendezvous.rank(key, endpoints, Rendezvous::seed).getFirst())]++;
        }
        assertThat(first).satisfies(counts -> assertThat(IntStream.of(counts)).allMatch(n -> n > 9_000 && n < 11_000));
    }

    @Property(tries = 100)
    void noEndpointCarriesMoreThanItsBoundHoweverHotAKeyIs(
            @ForAll long key,
            @ForAll @IntRange(min = 1, max = 10) int count,
            @ForAll @IntRange(min = 1, max = 300) int calls) {
        List<Endpoint> all = endpoints(count);
        Endpoints endpoints = new Endpoints(all);
        for (int i = 0; i < calls; i++) {
            endpoints.pick(key, Set.of(), 0).begun();
        }
        assertThat(all).allMatch(e -> e.inFlight() <= Rendezvous.bound(calls, count));
    }

    @Test
    void oneKeyStaysAtOneProcessWhileItIsQuiet() {
        List<Endpoint> all = endpoints(4);
        Endpoints endpoints = new Endpoints(all);
        Endpoint first = endpoints.pick(42, Set.of(), 0);
        assertThat(endpoints.pick(42, Set.of(), 0)).isSameAs(first);
    }

    @Test
    void aProcessThatWasUnavailableIsSkippedForASecondThenForTwo() {
        List<Endpoint> all = endpoints(2);
        Endpoints endpoints = new Endpoints(all);
        Endpoint first = endpoints.pick(42, Set.of(), 0);
        long second = 1_000_000_000L;
        first.unavailable(0);
        first.unavailable(1);
        assertThat(endpoints.pick(42, Set.of(), second - 1)).isNotSameAs(first);
        assertThat(endpoints.pick(42, Set.of(), second)).isSameAs(first);
        first.unavailable(second);
        assertThat(endpoints.pick(42, Set.of(), 3 * second - 1)).isNotSameAs(first);
        assertThat(endpoints.pick(42, Set.of(), 3 * second)).isSameAs(first);
    }

    @Test
    void theOnlyProcessIsUsedEvenIfItFailed() {
        List<Endpoint> all = endpoints(1);
        all.getFirst().unavailable(0);
        assertThat(new Endpoints(all).pick(1, Set.copyOf(all), 1)).isSameAs(all.getFirst());
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "127.0.0.1:" + (8085 + i))
                .toList();
    }

    private static List<Endpoint> endpoints(int count) {
        return names(count).stream()
                .map(name -> new Endpoint(name, List.of(), new ApiKeyCredentials("kv_test", false)))
                .toList();
    }
}
