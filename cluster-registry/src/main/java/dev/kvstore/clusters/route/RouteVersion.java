package dev.kvstore.clusters.route;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Identifies the content of a route by 128 bits. Stateless. */
final class RouteVersion {
    private static final int BYTES = 16;
    private static final long UNKNOWN = -1;

    private RouteVersion() {}

    static String of(String region, List<Route.Level> levels) {
        MessageDigest digest = sha256();
        try (DataOutputStream out =
                new DataOutputStream(new DigestOutputStream(OutputStream.nullOutputStream(), digest))) {
            out.writeUTF(region);
            for (Route.Level level : levels) {
                out.writeUTF(level.region());
                out.writeLong(
                        level.roundTrip() == null ? UNKNOWN : level.roundTrip().toNanos());
                out.writeInt(level.share());
                out.writeBoolean(level.panic());
                out.writeInt(level.targets().size());
                for (Route.Target target : level.targets()) {
                    out.writeUTF(target.cluster());
                    out.writeUTF(target.process());
                    out.writeUTF(target.instance());
                    out.writeUTF(target.address());
                    out.writeInt(target.weight());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("nothing is written anywhere", e);
        }
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
