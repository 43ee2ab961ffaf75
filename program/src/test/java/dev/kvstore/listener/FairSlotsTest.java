package dev.kvstore.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The policy beside a model that counts the calls of each party by itself. */
final class FairSlotsTest {
    private static final int LIMIT = 12;

    @Property(tries = 300)
    void aPartyBelowItsShareAlwaysBeginsAndOneAboveItOnlyWhereThereIsRoom(
            @ForAll @Size(max = 300) List<@IntRange(max = 15) Integer> steps) {
        FairSlots<Object> slots = new FairSlots<>(LIMIT, 100);
        Map<Integer, Integer> running = new HashMap<>();
        for (int step : steps) {
            int party = step % 8;
            FairSlots.SlotHolder<Object> of = slots.holder("p" + party);
            int mine = running.getOrDefault(party, 0);
            int all = running.values().stream().mapToInt(Integer::intValue).sum();
            if (step >= 8 && mine > 0) {
                slots.ended(of);
                running.merge(party, -1, Integer::sum);
            } else {
                running.putIfAbsent(party, 0);
                long active = running.entrySet().stream()
                        .filter(entry -> entry.getValue() > 0 || entry.getKey() == party)
                        .count();
                boolean admitted = slots.admits(of);
                assertThat(admitted).isEqualTo(all < LIMIT || mine < Math.max(1, LIMIT / active));
                if (admitted) {
                    slots.began(of);
                    running.merge(party, 1, Integer::sum);
                }
            }
            slots.release(of);
            assertThat(slots.running())
                    .isEqualTo(running.values().stream()
                            .mapToInt(Integer::intValue)
                            .sum())
                    .isLessThanOrEqualTo(bound());
            assertThat(slots.parties()).isEqualTo((int)
                    running.values().stream().filter(n -> n > 0).count());
        }
    }

    /** For eight parties. */
    private static int bound() {
        double bound = 8;
        for (int party = 1; party <= 8; party++) {
            bound += (double) LIMIT / party;
        }
        return (int) bound;
    }

    @Property(tries = 300)
    void whatEndsForOthersThatWaitIsOfAPartyAboveItsShareAndItsOldest(
            @ForAll @Size(max = 200) List<@IntRange(max = 4) Integer> parties) {
        FairSlots<Integer> slots = new FairSlots<>(LIMIT, 10);
        Map<Integer, Integer> partyOf = new HashMap<>();
        Map<Integer, FairSlots.SlotHolder<Integer>> waiting = new HashMap<>();
        for (int call = 0; call < parties.size(); call++) {
            int party = parties.get(call);
            FairSlots.SlotHolder<Integer> of = slots.holder("p" + party);
            Integer gone = slots.await(of, call);
            partyOf.put(call, party);
            waiting.put(call, of);
            if (gone != null) {
                int from = partyOf.getOrDefault(gone, -1);
                long its = waiting.keySet().stream()
                        .filter(other -> partyOf.getOrDefault(other, -1) == from)
                        .count();
                long holders =
                        waiting.keySet().stream().map(partyOf::get).distinct().count();
                assertThat(its * holders).isGreaterThan(10);
                assertThat(waiting.keySet().stream().filter(other -> partyOf.getOrDefault(other, -1) == from))
                        .allMatch(other -> other >= gone);
                waiting.remove(gone);
            }
            assertThat(slots.waiting()).isEqualTo(waiting.size()).isLessThanOrEqualTo(10);
        }
        waiting.forEach((call, of) -> assertThat(slots.waitsNoMore(of, call)).isTrue());
        assertThat(slots.waiting()).isZero();
    }
}
