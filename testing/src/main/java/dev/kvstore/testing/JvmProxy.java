package dev.kvstore.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import org.jspecify.annotations.Nullable;

/**
 * A proxy for all HTTP of this JVM, as {@code -Dhttps.proxyHost} names one, without a listener. Closing restores the
 * JVM's former proxies. One test at a time uses it.
 */
public final class JvmProxy implements AutoCloseable {
    private final @Nullable ProxySelector before = ProxySelector.getDefault();
    private final ClosedPort nobody = new ClosedPort();

    /** Sends all connections to this proxy from now on. */
    public JvmProxy() throws IOException {
        ProxySelector.setDefault(
                ProxySelector.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), nobody.number())));
    }

    @Override
    public void close() throws IOException {
        ProxySelector.setDefault(before);
        nobody.close();
    }
}
