package dev.kvstore.benchmark.peers;

/** A program that is not ours, and the Debian package that brings it. */
public enum PeerProgram {
    REDIS_SERVER("redis-server", "redis-server"),
    REDIS_BENCHMARK("redis-benchmark", "redis-tools"),
    NGINX("nginx", "nginx-light"),
    WRK("wrk", "wrk"),
    FIO("fio", "fio");

    private final String command;
    private final String debianPackage;

    PeerProgram(String command, String debianPackage) {
        this.command = command;
        this.debianPackage = debianPackage;
    }

    public String command() {
        return command;
    }

    public String debianPackage() {
        return debianPackage;
    }
}
