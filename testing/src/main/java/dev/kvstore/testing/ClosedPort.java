package dev.kvstore.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port of 127.0.0.1 that refuses connections and that no other process gets until this is closed. */
public final class ClosedPort implements AutoCloseable {
    private final Socket holder = new Socket();

    /** Takes one that is free. */
    public ClosedPort() throws IOException {
        holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** Its number. */
    public int number() {
        return holder.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        holder.close();
    }
}
