package dev.kvstore.dataplane.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * After any order of takes and returns no page has two holders, pages that are held keep their bytes, memory stays
 * within the allowed bytes, and in the end no page is lost.
 */
final class PageHeapPropertiesTest {
    private static final int MOST_PAGES = 20_000;

    @Property(tries = 50)
    void noPageIsTakenTwiceAndAllComeTogetherAgain(@ForAll Random random) {
        // Little enough that gaps are in the way, or enough for spans that are longer than a chunk.
        long allowed = (long) BlockMemory.PAGE_BYTES * (random.nextBoolean() ? 2_000 : 25_000);
        PageHeap heap = new PageHeap(0);
        heap.allow(allowed);
        long takenBytes = 0;
        NavigableMap<Long, Span> taken = new TreeMap<>();
        for (int i = 0; i < 2_000; i++) {
            if (taken.isEmpty() || random.nextInt(100) < 55) {
                // Short ones mostly, as long as a chunk and longer now and then.
                int pages = 1 + random.nextInt(1 + random.nextInt(random.nextInt(50) == 0 ? MOST_PAGES : 300));
                if (takenBytes + (long) pages * BlockMemory.PAGE_BYTES > allowed) {
                    continue;
                }
                Span span = heap.take(pages);
                assertThat(span.memory().capacity()).isEqualTo(pages * BlockMemory.PAGE_BYTES);
                requireApart(taken, span);
                taken.put(address(span), span);
                stamp(span);
                takenBytes += span.memory().capacity();
            } else {
                Map.Entry<Long, Span> any = anyOf(taken, random);
                taken.remove(any.getKey());
                requireStamped(any.getValue());
                takenBytes -= any.getValue().memory().capacity();
                heap.giveBack(any.getValue());
            }
            assertThat(heap.memoryBytes()).isBetween(takenBytes, allowed);
        }
        List<Span> rest = new ArrayList<>(taken.values());
        rest.forEach(heap::giveBack);

        assertThat(heap.heldBytes()).isZero();
    }

    private static void stamp(Span span) {
        ByteBuffer memory = span.memory();
        memory.putLong(0, address(span)).putLong(memory.capacity() - Long.BYTES, address(span));
    }

    private static void requireStamped(Span span) {
        ByteBuffer memory = span.memory();
        assertThat(memory.getLong(0)).isEqualTo(address(span));
        assertThat(memory.getLong(memory.capacity() - Long.BYTES)).isEqualTo(address(span));
    }

    private static void requireApart(NavigableMap<Long, Span> taken, Span span) {
        Map.Entry<Long, Span> before = taken.floorEntry(address(span));
        Map.Entry<Long, Span> after = taken.ceilingEntry(address(span));
        assertThat(before == null || end(before.getValue()) <= address(span)).isTrue();
        assertThat(after == null || end(span) <= address(after.getValue())).isTrue();
    }

    private static Map.Entry<Long, Span> anyOf(NavigableMap<Long, Span> taken, Random random) {
        long least = taken.firstKey();
        return taken.floorEntry(least + random.nextLong(taken.lastKey() - least + 1));
    }

    private static long address(Span span) {
        return MemorySegment.ofBuffer(span.memory()).address();
    }

    private static long end(Span span) {
        return address(span) + span.memory().capacity();
    }
}
