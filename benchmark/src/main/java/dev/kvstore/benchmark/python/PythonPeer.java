package dev.kvstore.benchmark.python;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** A way to move blocks between a server and the memory of a Python process. */
public enum PythonPeer {
    TCP("raw TCP, recv_into", "tcp"),
    KVSTORE("KV Store", "client"),
    UNVERIFIED("KV Store, unverified", "client"),
    AGENT("KV Store, through the agent", "agent_client"),
    /** Asks for the next prompt while one is on its way, as an engine with waiting requests does. */
    AHEAD("KV Store, agent, a prompt ahead", "agent_client"),
    GRPCIO("grpcio, generated classes", "grpcio_client"),
    REDIS("Redis, hiredis", "redis_client"),
    MOONCAKE("Mooncake Store over TCP", "mooncake_client"),
    LMCACHE("LMCache, its own server", "lmcache_client"),
    /** LMCache's native connector to Redis, {@code resp://}. */
    RESP("LMCache's connector to Redis", "lmcache_client");

    private final String title;
    private final String module;

    PythonPeer(String title, String module) {
        this.title = title;
        this.module = module;
    }

    /** The name in the JSON and in {@code --only}. */
    @JsonValue
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    String title() {
        return title;
    }

    /** The module that is its client. */
    String module() {
        return module;
    }

    /** The file with its packages of PyPI; empty if it needs none. */
    String requirements() {
        return this == GRPCIO || this == REDIS || this == MOONCAKE ? "requirements-" + key() + ".txt" : "";
    }

    /** The way to have it, besides PyPI; empty if PyPI is enough. */
    String packages() {
        return this == MOONCAKE ? "the Debian packages libcurl4, libibverbs1, libnuma1 and librdmacm1" : "";
    }

    /** Whether it reads and writes blocks of the data plane. */
    boolean isOfTheDataPlane() {
        return this == KVSTORE || this == UNVERIFIED || this == AGENT || this == AHEAD || this == GRPCIO;
    }

    /** Whether it runs in the environment of {@code kv test --engines lmcache}. */
    boolean isOfLmcache() {
        return this == LMCACHE || this == RESP;
    }

    /** Whether it writes in a way of its own. */
    boolean writes() {
        return this != UNVERIFIED && this != AHEAD;
    }
}
