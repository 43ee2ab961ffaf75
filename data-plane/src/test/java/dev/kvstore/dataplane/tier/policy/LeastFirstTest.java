package dev.kvstore.dataplane.tier.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

final class LeastFirstTest {
    @Property
    void theLeastComesFirst(@ForAll List<Double> numbers) {
        LeastFirst<Double> heap = new LeastFirst<>();
        numbers.forEach(number -> heap.add(number, number));

        List<Double> polled = new ArrayList<>();
        while (heap.size() > 0) {
            assertThat(heap.least()).isEqualTo(heap.peek());
            polled.add(heap.poll());
        }

        assertThat(polled).isEqualTo(numbers.stream().sorted().toList());
    }
}
