package dev.kvstore.dataplane.server;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Drains the data plane of this machine at an address such as {@code https://localhost:9085}: a pod runs this before it
 * is told to end, since an image has no curl. The certificate is not looked at: it is for another name, and nobody is
 * in between.
 */
public final class DrainMain {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Believes everyone. */
    private static final class Anyone implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private DrainMain() {}

    public static void main(String[] arguments) {
        try {
            if (arguments.length != 1) {
                throw new IOException("give the address of the HTTP port, such as https://localhost:9085");
            }
            drain(new URI(arguments[0]));
        } catch (IOException | URISyntaxException | GeneralSecurityException e) {
            System.err.println("drain: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void drain(URI process) throws IOException, GeneralSecurityException {
        if (process.getHost() == null
                || !InetAddress.getByName(process.getHost()).isLoopbackAddress()) {
            throw new IOException(process + " is not on this machine");
        }
        HttpURLConnection call =
                (HttpURLConnection) process.resolve("/drain").toURL().openConnection(Proxy.NO_PROXY);
        if (call instanceof HttpsURLConnection https) {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Anyone()}, null);
            https.setSSLSocketFactory(context.getSocketFactory());
            https.setHostnameVerifier((_, _) -> true);
        }
        call.setConnectTimeout(Math.toIntExact(PATIENCE.toMillis()));
        call.setReadTimeout(Math.toIntExact(PATIENCE.toMillis()));
        call.setRequestMethod("PUT");
        int status = call.getResponseCode();
        if (status / 100 != 2) {
            throw new IOException(process + " answered " + status);
        }
    }
}
