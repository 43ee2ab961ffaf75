package dev.kvstore.launcher.link;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An address of this machine that leads to another one as if it were far away: bytes arrive later by half a round trip
 * in either direction, at any rate. Each direction of a connection has two virtual threads. Thread-safe.
 */
public final class LongLink implements AutoCloseable {
    private static final int BACKLOG = 500;

    private final int target;
    private final Duration roundTrip;
    private final ServerSocket listener;
    private final Thread accepting;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    private LongLink(int target, Duration roundTrip, ServerSocket listener) {
        this.target = target;
        this.roundTrip = roundTrip;
        this.listener = listener;
        // With a virtual thread, the port would be free only once that thread has run again, so this is a platform
        // thread.
        this.accepting = Thread.ofPlatform().daemon().name("link to " + target).unstarted(this::accept);
    }

    /**
     * Listens on a free port of the loopback address.
     *
     * @param target port of the loopback address; no server needs to listen there yet
     */
    public static LongLink to(int target, Duration roundTrip) throws IOException {
        ServerSocket listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        LongLink link = new LongLink(target, roundTrip, listener);
        link.accepting.start();
        return link;
    }

    /** The address that leads to the far end, host:port. */
    public String address() {
        return "127.0.0.1:" + port();
    }

    /** The link's port of the loopback address. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Breaks all connections, and each new one, until {@link #restore}. */
    public void cut() {
        cut = true;
        sockets.forEach(LongLink::end);
    }

    public void restore() {
        cut = false;
    }

    private void accept() {
        try {
            while (true) {
                Socket near = listener.accept();
                if (cut) {
                    end(near);
                } else {
                    sockets.add(near);
                    Thread.ofVirtual().name("link connection").start(() -> join(near));
                }
            }
        } catch (IOException e) {
            // The link is closed.
        }
    }

    private void join(Socket near) {
        try (near;
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target)) {
            sockets.add(far);
            try {
                if (cut) {
                    return;
                }
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                Duration oneWay = roundTrip.dividedBy(2);
                Thread back = Thread.ofVirtual().start(() -> new OneWay(far, near, oneWay).run());
                new OneWay(near, far, oneWay).run();
                back.join();
            } finally {
                sockets.remove(far);
            }
        } catch (IOException e) {
            // No program listens at the target: the end of the connection tells the client.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(near);
        }
    }

    private static void end(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // The connection is gone.
        }
    }

    /** Once this returns, no program is reached through this link, unless the calling thread was interrupted. */
    @Override
    public void close() {
        end(listener);
        // A thread that waits in accept may take one more connection after its socket was closed.
        cut();
        try {
            accepting.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
