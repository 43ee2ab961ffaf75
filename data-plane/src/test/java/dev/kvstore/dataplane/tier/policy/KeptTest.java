package dev.kvstore.dataplane.tier.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class KeptTest {
    private final List<String> left = new ArrayList<>();

    /** Something that happens to a tier. */
    record KeptAction(KeptActionKind kind, int key, long bytes) {
        enum KeptActionKind {
            USE,
            PUT,
            REMOVE
        }
    }

    @Provide
    Arbitrary<List<KeptAction>> steps() {
        return Combinators.combine(
                        Arbitraries.of(KeptAction.KeptActionKind.values()),
                        Arbitraries.integers().between(0, 9),
                        Arbitraries.longs().between(1, 12))
                .as(KeptAction::new)
                .list()
                .ofMaxSize(200);
    }

    /** The model: a map in the order of use, walked from its eldest. */
    @Property
    void whatLeavesIsTheLeastRecentlyUsedUntilThereIsRoom(@ForAll("steps") List<KeptAction> steps) {
        Kept<Integer, Long> kept = new Kept<>(10, new LeastRecentlyUsed<>(), bytes -> bytes);
        LinkedHashMap<Integer, Long> model = new LinkedHashMap<>(16, 0.75f, true);
        for (KeptAction step : steps) {
            switch (step.kind()) {
                case USE -> assertThat(kept.use(step.key())).isEqualTo(model.get(step.key()));
                case PUT -> {
                    List<Integer> leaving = new ArrayList<>();
                    kept.put(step.key(), null, step.bytes(), (key, _) -> leaving.add(key));
                    assertThat(leaving).isEqualTo(put(model, step));
                }
                case REMOVE -> assertThat(kept.remove(step.key())).isEqualTo(model.remove(step.key()));
            }
            assertThat(kept.usedBytes()).isEqualTo(bytes(model));
        }
        assertThat(new ArrayList<>(kept.removeAll().entrySet()))
                .isEqualTo(new ArrayList<>(model.reversed().entrySet()));
        assertThat(kept.usedBytes()).isZero();
    }

    private static List<Integer> put(Map<Integer, Long> model, KeptAction step) {
        List<Integer> leaving = new ArrayList<>();
        if (step.bytes() > 10 || model.containsKey(step.key())) {
            return leaving;
        }
        while (bytes(model) + step.bytes() > 10) {
            leaving.add(model.keySet().iterator().next());
            model.remove(leaving.getLast());
        }
        model.put(step.key(), step.bytes());
        return leaving;
    }

    private static long bytes(Map<Integer, Long> model) {
        return model.values().stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void aBlockThatIsHereStaysAsItWas() {
        Kept<String, String> kept = new Kept<>(10, new LeastRecentlyUsed<>(), String::length);
        kept.put("key", null, "older", this::leaves);

        assertThat(kept.put("key", null, "newer", this::leaves)).isEqualTo(Kept.PutEffect.PRESENT);
        assertThat(kept.use("key")).isEqualTo("older");
    }

    @Test
    void whatIsLargerThanTheBudgetDisplacesNothing() {
        Kept<String, String> kept = new Kept<>(5, new LeastRecentlyUsed<>(), String::length);
        kept.put("small", null, "12345", this::leaves);

        assertThat(kept.put("large", null, "123456", this::leaves)).isEqualTo(Kept.PutEffect.REFUSED);
        assertThat(left).isEmpty();
        assertThat(kept.contains("small")).isTrue();
    }

    @Test
    void aPolicyMayRefuseWhatOthersWouldHaveToLeaveFor() {
        Kept<String, String> kept = new Kept<>(5, new FirstComeFirstKept(), String::length);
        kept.put("first", null, "123", this::leaves);

        assertThat(kept.put("second", null, "12", this::leaves)).isEqualTo(Kept.PutEffect.KEPT);
        assertThat(kept.put("third", null, "1", this::leaves)).isEqualTo(Kept.PutEffect.REFUSED);
        assertThat(left).isEmpty();
    }

    private void leaves(String key, String value) {
        left.add(key);
    }

    /** Keeps what it has. */
    private static final class FirstComeFirstKept implements EvictionPolicy<String> {
        private final EvictionPolicy<String> order = new LeastRecentlyUsed<>();

        @Override
        public boolean admits(String key, @Nullable String parent, long bytes) {
            return false;
        }

        @Override
        public void added(String key, @Nullable String parent, long bytes) {
            order.added(key, parent, bytes);
        }

        @Override
        public void used(String key) {}

        @Override
        public String evict() {
            return order.evict();
        }

        @Override
        public void removed(String key) {
            order.removed(key);
        }

        @Override
        public List<String> mostWorthFirst() {
            return order.mostWorthFirst();
        }
    }
}
