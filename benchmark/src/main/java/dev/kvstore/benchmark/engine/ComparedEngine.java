package dev.kvstore.benchmark.engine;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The engines that take turns: vLLM with the same model and options, and another store each. */
enum ComparedEngine {
    NONE("without a store"),
    KVSTORE("KV Store"),
    LMCACHE("LMCache, CPU memory");

    private final String title;

    ComparedEngine(String title) {
        this.title = title;
    }

    /** The name in the JSON and in orders. */
    @JsonValue
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** For people. */
    String title() {
        return title;
    }
}
