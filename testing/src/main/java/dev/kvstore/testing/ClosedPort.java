package dev.kvstore.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port of 127.0.0.1 that refuses connections, and that no other process gets until this object is closed. */
public final class ClosedPort implements AutoCloseable {
    private final Socket holder = new Socket();

    /** Takes a free port. */
    public ClosedPort() throws IOException {
        holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** The number of the port. */
    public int number() {
        return holder.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        holder.close();
    }
}
