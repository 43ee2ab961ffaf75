package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.storage.StoreCondition;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** How the stores are that this process has used, by names that hold no secret. Thread-safe. */
final class StoreConditions {
    private final InstantSource clock;
    private final Map<String, StoreCondition> conditions = new ConcurrentHashMap<>();

    StoreConditions(InstantSource clock) {
        this.clock = clock;
    }

    StoreCondition of(StorageLocation location) {
        return conditions.computeIfAbsent(name(location), _ -> new StoreCondition(clock));
    }

    int count() {
        return conditions.size();
    }

    /** What is wrong with those that fail. */
    Map<String, String> failing() {
        Map<String, String> failing = new TreeMap<>();
        conditions.forEach((name, condition) -> {
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
