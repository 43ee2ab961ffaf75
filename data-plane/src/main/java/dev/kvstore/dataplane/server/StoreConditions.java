package dev.kvstore.dataplane.server;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.storage.StoreCondition;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/**
 * The conditions of the stores that this process uses, or was asked for within {@link #MEMORY}, by names that hold no
 * secret. Thread-safe.
 */
public final class StoreConditions {
    /** How long the condition of a store that nobody has is remembered. */
    private static final Duration MEMORY = Duration.ofHours(1);

    /** Most stores that are remembered. */
    private static final int REMEMBERED = 10_000;

    private final InstantSource clock;
    // Each open store refers to its condition.
    private final Cache<String, StoreCondition> conditions =
            Caffeine.newBuilder().weakValues().executor(Runnable::run).<String, StoreCondition>build();
    private final Cache<String, StoreCondition> recent = Caffeine.newBuilder()
            .expireAfterAccess(MEMORY)
            .maximumSize(REMEMBERED)
            .executor(Runnable::run)
            .<String, StoreCondition>build();

    StoreConditions(InstantSource clock) {
        this.clock = clock;
    }

    StoreCondition of(StorageLocation location) {
        String name = name(location);
        StoreCondition condition = conditions.get(name, _ -> new StoreCondition(clock));
        recent.put(name, condition);
        return condition;
    }

    public int count() {
        conditions.cleanUp();
        return conditions.asMap().size();
    }

    /** The flaw of each failing store, by the store's name. */
    public Map<String, String> failing() {
        Map<String, String> failing = new TreeMap<>();
        conditions.asMap().forEach((name, condition) -> {
            String flaw = condition.flaw();
            if (flaw != null) {
                failing.put(name, flaw);
            }
        });
        return failing;
    }

    private static String name(StorageLocation location) {
        return switch (location) {
            case StorageLocation.Filesystem place -> place.directory().toString();
            case StorageLocation.Azure place -> place.endpoint().getAuthority() + "/" + place.container();
        };
    }
}
