package dev.kvstore.client.internal;

import io.grpc.Status;
import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Explains why two ends did not agree on TLS or HTTP/2, and the way out. Each stack reports such a failure in its own words: by
 * types of exceptions if it has them, else by the names of alerts (RFC 8446, section 6). Stateless.
 */
final class TlsFailure {
    /**
     * The message of gRPC when a peer closes the connection without an answer, as a TLS port does when it gets
     * plaintext.
     */
    private static final String HUNG_UP = "Network closed for unknown reason";

    /** The message of gRPC for a TLS port that sends an alert first: content type 21, version 3. */
    private static final String ALERT_FOR_SETTINGS = "Hex dump for first 5 bytes: 1503";

    /** The message of both stacks for a port that answers {@code HTTP/}, as one of HTTP/1 does. */
    private static final String HTTP_1 = "Hex dump for first 5 bytes: 485454502f";

    private static final String USE_TLS = "use tls(), or trust(pem) with the authority of its certificate";

    private TlsFailure() {}

    /** The explanation of a failure; null if it is of another kind. */
    static @Nullable String explain(Status status) {
        String description = String.valueOf(status.getDescription());
        if (description.equals(HUNG_UP)) {
            return "the server closed the connection without a word; if the port speaks TLS and this client does not, "
                    + USE_TLS;
        }
        if (description.contains(ALERT_FOR_SETTINGS) || says(status, ALERT_FOR_SETTINGS)) {
            return "the port speaks TLS, and this client spoke plaintext to it; " + USE_TLS;
        }
        if (description.contains(HTTP_1) || says(status, HTTP_1)) {
            return "the port speaks HTTP/1, as the REST port does; give the gRPC port";
        }
        // The fault that this side found is a cause below the TLS alert that it sent.
        String found = first(status, TlsFailure::found);
        return found != null ? found : first(status, TlsFailure::alert);
    }

    private static boolean says(Status status, String text) {
        return first(status, cause -> String.valueOf(cause.getMessage()).contains(text) ? text : null) != null;
    }

    private static @Nullable String first(Status status, Function<Throwable, @Nullable String> explanation) {
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            String why = explanation.apply(cause);
            if (why != null) {
                return why + " (" + cause.getMessage() + ")";
            }
        }
        return null;
    }

    private static @Nullable String found(Throwable cause) {
        if (cause instanceof NotSslRecordException) {
            return "the port does not speak TLS; start the data plane with --tls-cert, or, on a network that is yours"
                    + " alone, use plaintextAnywhere()";
        }
        if (cause instanceof CertificateExpiredException) {
            return "the server's certificate has expired; have it renewed";
        }
        if (cause instanceof CertificateNotYetValidException) {
            return "the server's certificate is not valid yet; check the clocks of both machines";
        }
        if (cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException) {
            return "the server's certificate is not trusted; give trust(pem) the authority that issued it, or have the"
                    + " server send the certificates in between";
        }
        if (cause instanceof CertificateException
                && String.valueOf(cause.getMessage()).startsWith("No ")) {
            return "the server's certificate is not for this name; use a name in its subjectAltName, or have it issued"
                    + " for this one";
        }
        return null;
    }

    private static @Nullable String alert(Throwable cause) {
        if (!(cause instanceof SSLException)) {
            return null;
        }
        String said = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        if (said.contains("certificate_required")) {
            return "the server asks for a client certificate; give clientCertificate(chain, key)";
        }
        if (said.contains("protocol_version")) {
            return "client and server have no version of TLS in common; the server's setting is tls-minimum";
        }
        if (said.contains("unknown_ca")
                || said.contains("bad_certificate")
                || said.contains("certificate_unknown")
                || said.contains("certificate_expired")
                || said.contains("alert_internal_error")
                || said.contains("alert: internal_error")) {
            return "the server refused the connection; if it asks for client certificates, give"
                    + " clientCertificate(chain, key) one of an authority in its --tls-client-ca";
        }
        return null;
    }
}
