package dev.kvstore.clusters.token;

import dev.kvstore.admin.database.Sql;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads join tokens for the authentication of data planes. Thread-safe. */
public final class TokenReader {
    private final DataSource database;

    public TokenReader(DataSource database) {
        this.database = database;
    }

    /**
     * A join token, as read from the database.
     *
     * @param sha256 in hexadecimal digits
     * @param region the region of its cluster
     * @param expiresAt null if never
     */
    public record KnownToken(
            String id,
            String sha256,
            String cluster,
            String region,
            @Nullable Instant expiresAt) {
        /** Whether a text is this token as a whole. */
        public boolean isOf(JoinTokenText text) {
            return MessageDigest.isEqual(HexFormat.of().parseHex(sha256), text.sha256());
        }

        /** Whether the token has not expired. */
        public boolean isGood(Instant now) {
            return expiresAt == null || now.isBefore(expiresAt);
        }
    }

    /**
     * All join tokens, and all clusters.
     *
     * @param tokens by id
     * @param regions by cluster
     */
    public record TokensAndClusters(Map<String, KnownToken> tokens, Map<String, String> regions) {
        public TokensAndClusters {
            tokens = Map.copyOf(tokens);
            regions = Map.copyOf(regions);
        }
    }

    /**
     * Reads all tokens and clusters.
     *
     * @throws SQLException if the database does not answer
     */
    public TokensAndClusters all() throws SQLException {
        try (Connection connection = database.getConnection()) {
            Map<String, KnownToken> tokens = new HashMap<>();
            for (KnownToken token : Sql.on(connection, """
                            select t.id, encode(t.sha256, 'hex') as sha256, t.cluster, c.region, t.expires_at
                            from join_token t join cluster c on c.name = t.cluster""").list(KnownToken.class)) {
                tokens.put(token.id(), token);
            }
            Map<String, String> regions = new HashMap<>();
            Sql.on(connection, "select name, region from cluster")
                    .each(row -> regions.put(row.getString("name"), row.getString("region")));
            return new TokensAndClusters(tokens, regions);
        }
    }

    /**
     * Notes that tokens were shown just now.
     *
     * @throws SQLException if the database does not answer
     */
    public void used(Collection<String> ids) throws SQLException {
        var _ = Sql.on(database, "update join_token set last_used_at = now() where id = any(:ids)")
                .array("ids", "text", ids)
                .run();
    }
}
