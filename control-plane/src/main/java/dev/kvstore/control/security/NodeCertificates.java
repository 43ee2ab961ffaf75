package dev.kvstore.control.security;

import dev.kvstore.admin.name.Name;
import dev.kvstore.clusters.lease.ProcessScope;
import dev.kvstore.clusters.process.ProcessName;
import jakarta.inject.Singleton;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads from a certificate which data plane it belongs to: the one URI among its alternative names is {@code
 * spiffe://<trust domain>/kvstore/cluster/<cluster>/node/<node>}. TLS has verified that an authority signed it. The
 * trust domain does not matter, since these authorities sign for data planes alone. Thread-safe.
 */
@Singleton
public final class NodeCertificates {
    /** The number of a URI in a SAN (RFC 5280, 4.2.1.6). */
    private static final int URI = 6;

    private static final int TYPE = 0;
    private static final int VALUE = 1;

    private static final Pattern NAME = Pattern.compile(Name.SHAPE);
    private static final Pattern PROCESS = Pattern.compile(ProcessName.SHAPE);

    /** The trust domain as the standard SPIFFE ID has it. */
    private static final Pattern ID =
            Pattern.compile("spiffe://[a-z0-9._-]{1,255}/kvstore/cluster/([^/]{1,63})/node/([^/]{1,63})");

    private final AcceptedTokens tokens;
    private final Clock clock;

    NodeCertificates(AcceptedTokens tokens, Clock clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    /** The data plane of a certificate; empty if the certificate names none of a registered cluster. */
    Optional<CallingDataPlane> of(Certificate certificate) {
        if (!(certificate instanceof X509Certificate x509)) {
            return Optional.empty();
        }
        Optional<NodeId> id = id(x509);
        return id.flatMap(found -> tokens.regionOf(found.cluster()).map(region -> {
            Instant end = x509.getNotAfter().toInstant();
            ProcessScope scope = new ProcessScope(found.cluster(), found.node());
            return new CallingDataPlane(
                    scope,
                    region,
                    () -> clock.instant().isBefore(end)
                            && tokens.regionOf(found.cluster()).isPresent());
        }));
    }

    private record NodeId(String cluster, String node) {}

    private static Optional<NodeId> id(X509Certificate certificate) {
        Collection<List<?>> names;
        try {
            names = certificate.getSubjectAlternativeNames();
        } catch (CertificateParsingException e) {
            return Optional.empty();
        }
        if (names == null) {
            return Optional.empty();
        }
        List<String> uris = names.stream()
                .filter(name -> name.get(TYPE) instanceof Integer type && type == URI)
                .map(name -> String.valueOf(name.get(VALUE)))
                .toList();
        // SPIFFE allows one URI and no more.
        Matcher id = ID.matcher(uris.size() == 1 ? uris.getFirst() : "");
        return id.matches()
                        && NAME.matcher(id.group(1)).matches()
                        && PROCESS.matcher(id.group(2)).matches()
                ? Optional.of(new NodeId(id.group(1), id.group(2)))
                : Optional.empty();
    }
}
