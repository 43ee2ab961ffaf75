package dev.kvstore.launcher.process;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;

/** A question that a process answers with yes once it works. The question is repeated until then. */
@FunctionalInterface
public interface Readiness {
    /** The longest time of one question, in milliseconds. */
    int TIMEOUT_MILLIS = 1_000;

    boolean isReady();

    /** Ready when a GET answers 200. The request goes to the process directly, whatever proxy this JVM has. */
    static Readiness http(URI url) {
        return () -> {
            try {
                HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection(Proxy.NO_PROXY);
                connection.setConnectTimeout(TIMEOUT_MILLIS);
                connection.setReadTimeout(TIMEOUT_MILLIS);
                try {
                    return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
                } finally {
                    connection.disconnect();
                }
            } catch (IOException notYet) {
                return false;
            }
        };
    }

    /** Ready when a TCP port takes connections. */
    static Readiness port(InetSocketAddress address) {
        return () -> {
            try (Socket socket = new Socket()) {
                socket.connect(address, TIMEOUT_MILLIS);
                return true;
            } catch (IOException notYet) {
                return false;
            }
        };
    }
}
