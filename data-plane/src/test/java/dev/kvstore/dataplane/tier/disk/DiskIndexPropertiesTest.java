package dev.kvstore.dataplane.tier.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

/** The index is a map. */
@Tag("slow")
final class DiskIndexPropertiesTest {
    @Property(tries = 100)
    void itHoldsWhatAMapWould(@ForAll Random random) {
        DiskIndex index = new DiskIndex();
        Map<RecordKey, DiskAddress> map = new HashMap<>();
        Set<RecordKey> read = new HashSet<>();
        for (int i = 0; i < 5_000; i++) {
            // Few homes, so that records are pushed from theirs, also over the end of the table.
            RecordKey key = new RecordKey(random.nextInt(40), -1L << 4 | random.nextInt(16));
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    DiskAddress place = place(random);
                    index.put(key, place);
                    map.put(key, place);
                    read.remove(key);
                }
                case 3 -> {
                    assertThat(index.remove(key)).isEqualTo(map.remove(key) != null);
                    read.remove(key);
                }
                case 4 -> {
                    assertThat(index.read(key)).isEqualTo(map.get(key));
                    if (map.containsKey(key)) {
                        read.add(key);
                    }
                }
                case 5 -> {
                    DiskAddress from = map.getOrDefault(key, place(random));
                    DiskAddress to = place(random);
                    assertThat(index.replace(key, from, to)).isEqualTo(map.replace(key, from, to));
                    if (map.containsKey(key)) {
                        read.remove(key);
                    }
                }
                case 6 -> assertThat(index.contains(key)).isEqualTo(map.containsKey(key));
                default -> forgetRegion(index, map, read, random);
            }
            assertThat(index.size()).isEqualTo(map.size());
        }
        map.forEach((key, place) -> assertThat(index.isAt(key, place)).isTrue());
    }

    private static void forgetRegion(
            DiskIndex index, Map<RecordKey, DiskAddress> map, Set<RecordKey> read, Random random) {
        int region = random.nextInt(100);
        Set<DiskIndex.IndexEntry> wanted = new HashSet<>();
        for (RecordKey key : read) {
            DiskAddress place = map.get(key);
            if (place != null && place.region() == region) {
                wanted.add(new DiskIndex.IndexEntry(key, place));
            }
        }
        assertThat(index.read(region, Integer.MAX_VALUE)).hasSameElementsAs(wanted);
        int before = map.size();
        map.values().removeIf(place -> place.region() == region);
        read.retainAll(map.keySet());
        assertThat(index.removeRegion(region)).isEqualTo(before - map.size());
    }

    private static DiskAddress place(Random random) {
        return new DiskAddress(
                random.nextInt(100), random.nextInt(DiskAddress.MAX_PAGES), 1 + random.nextInt(DiskAddress.MAX_LENGTH));
    }

    @Property
    void aPlaceIsOneWord(@ForAll Random random) {
        DiskAddress place = new DiskAddress(
                random.nextInt(DiskAddress.MAX_REGIONS),
                random.nextInt(DiskAddress.MAX_PAGES),
                1 + random.nextInt(DiskAddress.MAX_LENGTH));

        assertThat(DiskAddress.of(place.packed())).isEqualTo(place);
        assertThat(DiskAddress.of(place.packed() | DiskAddress.READ)).isEqualTo(place);
    }
}
