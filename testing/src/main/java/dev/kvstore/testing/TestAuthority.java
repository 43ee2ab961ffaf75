package dev.kvstore.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A certificate authority for a test, made with openssl. */
public final class TestAuthority {
    /**
     * @param chain the certificate, PEM
     * @param key the private key, PKCS#8 in PEM
     */
    public record Issued(Path chain, Path key) {}

    private final Path folder;
    private final String name;

    /** Makes an authority that keeps its files in this folder, under a name that no other authority there has. */
    public TestAuthority(Path folder, String name) throws IOException {
        this.folder = folder;
        this.name = name;
        openssl(request(
                name, 30, "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"));
    }

    /** The authority's own certificate. */
    public Path certificate() {
        return folder.resolve(name + ".pem");
    }

    /** A certificate for this machine: {@code localhost}, 127.0.0.1 and ::1. */
    public Issued issue(String subject) throws IOException {
        return issue(subject, 30, "DNS:localhost,IP:127.0.0.1,IP:::1");
    }

    /**
     * @param alternativeNames in openssl's form: {@code DNS:kv.example.net,IP:192.0.2.1}
     * @param extensions further extensions, likewise: {@code extendedKeyUsage=serverAuth}
     */
    public Issued issue(String subject, int days, String alternativeNames, String... extensions) throws IOException {
        List<String> more = new ArrayList<>(List.of("-CA", certificate().toString()));
        more.addAll(List.of("-CAkey", folder.resolve(name + ".key").toString()));
        more.addAll(List.of("-addext", "basicConstraints=critical,CA:FALSE"));
        more.addAll(List.of("-addext", "subjectAltName=" + alternativeNames));
        for (String extension : extensions) {
            more.addAll(List.of("-addext", extension));
        }
        openssl(request(subject, days, more.toArray(String[]::new)));
        awaitBegin(folder.resolve(subject + ".pem"));
        return new Issued(folder.resolve(subject + ".pem"), folder.resolve(subject + ".key"));
    }

    /**
     * Waits until a certificate is valid: if a clock is set back while a test runs, a new certificate begins in the
     * future.
     */
    private static void awaitBegin(Path certificate) throws IOException {
        try (InputStream pem = Files.newInputStream(certificate)) {
            Instant begin = ((X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(pem))
                    .getNotBefore()
                    .toInstant();
            while (Instant.now().isBefore(begin)) {
                Thread.onSpinWait();
            }
        } catch (CertificateException e) {
            throw new IOException("openssl wrote no certificate to " + certificate, e);
        }
    }

    private List<String> request(String subject, int days, String... more) {
        List<String> command = new ArrayList<>(List.of("req", "-x509", "-newkey", "ec", "-pkeyopt"));
        command.addAll(List.of("ec_paramgen_curve:P-256", "-nodes", "-days", "" + days, "-subj", "/CN=" + subject));
        command.addAll(List.of("-out", folder.resolve(subject + ".pem").toString()));
        command.addAll(List.of("-keyout", folder.resolve(subject + ".key").toString()));
        command.addAll(List.of(more));
        return command;
    }

    /** Runs openssl to its end. */
    public static void openssl(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(arguments);
        Path said = Files.createTempFile("openssl", ".log");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            process.getOutputStream().close();
            if (process.waitFor() != 0) {
                throw new IOException("openssl failed: " + Files.readString(said, UTF_8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while openssl ran", e);
        } finally {
            Files.delete(said);
        }
    }
}
