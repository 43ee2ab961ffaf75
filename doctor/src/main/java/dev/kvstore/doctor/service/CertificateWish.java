package dev.kvstore.doctor.service;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Has no certificate, and notes whether the server asked for one. For one thread. */
final class CertificateWish extends X509ExtendedKeyManager {
    private boolean told;

    /** Whether the server asked. */
    boolean wasTold() {
        return told;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
        told = true;
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return null;
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return null;
    }
}
