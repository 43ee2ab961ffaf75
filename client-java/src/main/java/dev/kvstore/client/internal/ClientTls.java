package dev.kvstore.client.internal;

import dev.kvstore.client.ClientCertificate;
import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.protocol.tls.PemFile;
import dev.kvstore.protocol.tls.TlsFiles;
import dev.kvstore.protocol.tls.TlsIdentity;
import dev.kvstore.protocol.tls.TlsMaterial;
import dev.kvstore.protocol.tls.TlsRotation;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TLS of a client. The files are read again when they change, for new connections. Thread-safe. */
final class ClientTls implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClientTls.class);

    /** The seconds between two looks at the files; a data plane has the same. */
    private static final long POLL_SECONDS = 10;

    private final SslContext context;
    private final @Nullable TlsRotation<SslContext> rotation;
    private final @Nullable ScheduledExecutorService timer;

    /** @throws IllegalArgumentException if a file cannot be used; the message names the option and the file */
    ClientTls(ClientOptions options) {
        ClientCertificate certificate = options.clientCertificate();
        TlsFiles files = new TlsFiles(
                certificate == null ? null : new PemFile("clientCertificate", certificate.chain()),
                certificate == null ? null : new PemFile("clientCertificate", certificate.key()),
                file("trust", options.trust()));
        try {
            if (files.chain() == null && files.trust() == null) {
                this.rotation = null;
                this.context = context(new TlsMaterial(null, List.of()));
                this.timer = null;
            } else {
                TlsRotation<SslContext> following =
                        new TlsRotation<>(files, InstantSource.system(), ClientTls::context);
                this.rotation = following;
                this.context = new FollowingSslContext(following::current);
                this.timer = follow();
            }
        } catch (BadPemException e) {
            throw new IllegalArgumentException(e.flaw(), e);
        }
    }

    private static @Nullable PemFile file(String option, @Nullable Path path) {
        return path == null ? null : new PemFile(option, path);
    }

    private static SslContext context(TlsMaterial material) throws BadPemException {
        SslContextBuilder builder = GrpcSslContexts.configure(SslContextBuilder.forClient(), provider())
                .protocols("TLSv1.3", "TLSv1.2");
        if (!material.trust().isEmpty()) {
            builder.trustManager(material.trust());
        }
        TlsIdentity identity = material.identity();
        if (identity != null) {
            builder.keyManager(identity.key(), identity.chain());
        }
        try {
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new BadPemException("tls: this machine's TLS refuses what it is given: " + e.getMessage());
        }
    }

    /** The provider of TLS: BoringSSL if the application has it on its class path, else the JDK's. */
    private static SslProvider provider() {
        return OpenSsl.isAvailable()
                        && SslProvider.isAlpnSupported(SslProvider.OPENSSL)
                        && SslProvider.isTlsv13Supported(SslProvider.OPENSSL)
                ? SslProvider.OPENSSL
                : SslProvider.JDK;
    }

    SslContext context() {
        return context;
    }

    private ScheduledExecutorService follow() {
        ScheduledExecutorService executor =
                Executors.newSingleThreadScheduledExecutor(task -> Threads.daemon("kvstore-client-tls", task));
        var unused = executor.scheduleWithFixedDelay(this::pollAndLog, POLL_SECONDS, POLL_SECONDS, TimeUnit.SECONDS);
        return executor;
    }

    /** Polls the files. Catches everything, since an exception would end the timer without notice. */
    private void pollAndLog() {
        try {
            poll();
        } catch (RuntimeException | Error e) {
            LOG.error("the files of TLS could not be read; they are read again later", e);
        }
    }

    /** Checks whether the files have changed. One thread at a time calls this. */
    void poll() {
        if (rotation == null) {
            return;
        }
        TlsRotation.RotationOutcome outcome = rotation.poll();
        if (outcome instanceof TlsRotation.Renewed) {
            LOG.info("new connections use the changed files of TLS");
        } else if (outcome instanceof TlsRotation.RefusedFiles refused) {
            LOG.error("{}. New connections use the content before", refused.flaw());
        }
    }

    @Override
    public void close() {
        if (timer != null) {
            timer.shutdownNow();
        }
    }
}
