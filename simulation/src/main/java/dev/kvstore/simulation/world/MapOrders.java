package dev.kvstore.simulation.world;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/** Immutable maps in the order of their entries. The JDK's maps have another order in each process. */
public final class MapOrders {
    private MapOrders() {}

    @InPlaceOf(Map.class)
    public static <K, V> Map<K, V> copyOf(Map<? extends K, ? extends V> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    @InPlaceOf(Map.class)
    public static <K, V> Map<K, V> of(K first, V ofFirst, K second, V ofSecond) {
        Map<K, V> map = new LinkedHashMap<>();
        map.put(first, ofFirst);
        map.put(second, ofSecond);
        return Collections.unmodifiableMap(map);
    }

    @InPlaceOf(Map.class)
    public static <K, V> Map<K, V> of(
            K first, V ofFirst, K second, V ofSecond, K third, V ofThird, K fourth, V ofFourth) {
        Map<K, V> map = new LinkedHashMap<>(of(first, ofFirst, second, ofSecond));
        map.put(third, ofThird);
        map.put(fourth, ofFourth);
        return Collections.unmodifiableMap(map);
    }

    @InPlaceOf(Collectors.class)
    public static <T, K, V> Collector<T, ?, Map<K, V>> toUnmodifiableMap(
            Function<? super T, ? extends K> key, Function<? super T, ? extends V> value) {
        return Collectors.collectingAndThen(
                Collectors.toMap(
                        key,
                        value,
                        (one, other) -> {
                            throw new IllegalStateException("two values: " + one + ", " + other);
                        },
                        LinkedHashMap<K, V>::new),
                Collections::unmodifiableMap);
    }
}
