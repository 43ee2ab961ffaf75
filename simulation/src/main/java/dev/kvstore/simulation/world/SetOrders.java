package dev.kvstore.simulation.world;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/** Immutable sets in the order of their elements. The JDK's sets have another order in each process. */
public final class SetOrders {
    private SetOrders() {}

    @InPlaceOf(Set.class)
    public static <E> Set<E> copyOf(Collection<? extends E> elements) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(elements));
    }

    @InPlaceOf(Set.class)
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <E> Set<E> of(E... elements) {
        return copyOf(Arrays.asList(elements));
    }

    @InPlaceOf(Set.class)
    public static <E> Set<E> of(E first, E second) {
        return copyOf(Arrays.asList(first, second));
    }

    @InPlaceOf(Set.class)
    public static <E> Set<E> of(E first, E second, E third) {
        return copyOf(Arrays.asList(first, second, third));
    }

    @InPlaceOf(Set.class)
    public static <E> Set<E> of(E first, E second, E third, E fourth) {
        return copyOf(Arrays.asList(first, second, third, fourth));
    }

    @InPlaceOf(Collectors.class)
    public static <T> Collector<T, ?, Set<T>> toUnmodifiableSet() {
        return Collectors.collectingAndThen(Collectors.toCollection(LinkedHashSet::new), Collections::unmodifiableSet);
    }
}
