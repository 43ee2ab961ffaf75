package dev.kvstore.benchmark.kvcache.workload;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 of a stream of requests: equal for two runs that were asked the same. For one thread. */
public final class StreamHash {
    private final MessageDigest digest;

    public StreamHash() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    public void add(UserRequest request) {
        digest.update(request.line().getBytes(StandardCharsets.UTF_8));
    }

    /** The hash of all lines that were added, in hex; no line may be added after it. */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
