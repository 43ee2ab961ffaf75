package dev.kvstore.control.route;

import com.google.protobuf.ByteString;
import dev.kvstore.accounts.key.Secrets;
import io.grpc.Context;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The id and the hash of a client's key; the key itself is not kept. */
record ClientCredential(String keyId, ByteString sha256) {
    /** The credential of the call that is being served. */
    static final Context.Key<ClientCredential> CURRENT = Context.key("kvstore-client-credential");

    private static final Pattern BEARER = Pattern.compile("Bearer (kv_([A-Za-z0-9-]{1,64})_[A-Za-z0-9_-]{1,200})");

    /** Reads the credential from the header {@code authorization}; empty if the header has no key. */
    static Optional<ClientCredential> of(@Nullable String header) {
        Matcher bearer = BEARER.matcher(header == null ? "" : header);
        return bearer.matches()
                ? Optional.of(
                        new ClientCredential(bearer.group(2), ByteString.copyFrom(Secrets.sha256(bearer.group(1)))))
                : Optional.empty();
    }
}
