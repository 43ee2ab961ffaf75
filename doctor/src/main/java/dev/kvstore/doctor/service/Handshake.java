package dev.kvstore.doctor.service;

import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.DoctorFinding;
import dev.kvstore.doctor.finding.FindingKind;
import dev.kvstore.launcher.rest.TrustedAuthorities;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * One handshake of TLS that goes on whatever the server's certificate is, so that what is wrong with it can be told.
 * Sends nothing behind the handshake. For one thread.
 */
final class Handshake {
    private static final Duration NOTICE = Duration.ofDays(7);
    private static final int SHARE_OF_LIFE = 3;
    private static final int ALERT_MILLIS = 500;

    private final ServiceAddress address;
    private final CertificateVerdict verdict;
    private final CertificateWish wish = new CertificateWish();

    /** @param authorities null for Java's own */
    Handshake(ServiceAddress address, @Nullable Path authorities) {
        this.address = address;
        this.verdict = new CertificateVerdict(TrustedAuthorities.manager(authorities));
    }

    /**
     * Shakes hands over a connection.
     *
     * @throws SSLException if the server does not speak TLS
     */
    CheckOutcome with(Socket connection) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {wish}, new TrustManager[] {verdict}, null);
        try (SSLSocket socket = (SSLSocket)
                context.getSocketFactory().createSocket(connection, address.bareHost(), address.port(), true)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            // A server of TLS 1.3 refuses the missing certificate of a client only now.
            socket.setSoTimeout(ALERT_MILLIS);
            var _ = socket.getInputStream().read();
        } catch (SocketTimeoutException quiet) {
            if (verdict.chain().isEmpty()) {
                throw quiet;
            }
        } catch (SSLException e) {
            if (verdict.chain().isEmpty()) {
                throw e;
            }
            if (wish.wasTold() && verdict.flaw() == null) {
                return faulty(
                        FindingKind.CLIENT_CERTIFICATE_NEEDED, "the server serves no client without a certificate");
            }
        }
        return judged();
    }

    private CheckOutcome judged() {
        CertificateException flaw = verdict.flaw();
        if (flaw == null) {
            return verdict.chain().stream().anyMatch(Handshake::endsSoon)
                    ? faulty(FindingKind.CERTIFICATE_ENDS_SOON, "a certificate of the server ends on " + end())
                    : CheckOutcome.SOUND;
        }
        for (Throwable cause = flaw; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateExpiredException) {
                return faulty(FindingKind.CERTIFICATE_EXPIRED, "a certificate of the server ended on " + end());
            }
            if (cause instanceof CertificateNotYetValidException) {
                return faulty(
                        FindingKind.CERTIFICATE_NOT_YET_VALID,
                        "the server's certificate begins on "
                                + verdict.chain().getFirst().getNotBefore().toInstant());
            }
        }
        boolean name = String.valueOf(flaw.getMessage()).startsWith("No ");
        return name
                ? faulty(FindingKind.CERTIFICATE_NAME, "the server's certificate is not for this name")
                : faulty(FindingKind.CERTIFICATE_UNTRUSTED, "no known authority issued the server's certificate");
    }

    private static boolean endsSoon(X509Certificate certificate) {
        Instant end = certificate.getNotAfter().toInstant();
        Duration third =
                Duration.between(certificate.getNotBefore().toInstant(), end).dividedBy(SHARE_OF_LIFE);
        return Instant.now().isAfter(end.minus(third.compareTo(NOTICE) < 0 ? third : NOTICE));
    }

    private Instant end() {
        return verdict.chain().stream()
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow();
    }

    private CheckOutcome faulty(FindingKind kind, String problem) {
        return new CheckOutcome.Faulty(List.of(new DoctorFinding(kind, address.toString(), problem)));
    }
}
