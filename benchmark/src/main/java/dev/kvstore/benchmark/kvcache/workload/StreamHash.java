package dev.kvstore.benchmark.kvcache.workload;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/** The SHA-256 of a stream of requests: equal for two runs that were asked the same. For one thread. */
public final class StreamHash {
    private final MessageDigest digest = Digests.begin();

    public void add(UserRequest request) {
        digest.update(request.line().getBytes(StandardCharsets.UTF_8));
    }

    /** The hash of all lines that were added, in hex; no line may be added after it. */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
