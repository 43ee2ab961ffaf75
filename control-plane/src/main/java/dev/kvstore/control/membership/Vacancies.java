package dev.kvstore.control.membership;

import java.util.SortedMap;

/** The clusters on which accounts may be placed. Thread-safe. */
public interface Vacancies {
    /**
     * The clusters of a region that are active and have a data plane with a lease: their headroom in bytes per second,
     * by their names. The map is empty while no fleet has been read.
     */
    SortedMap<String, Double> vacancies(String region);
}
