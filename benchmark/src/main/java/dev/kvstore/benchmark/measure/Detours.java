package dev.kvstore.benchmark.measure;

import dev.kvstore.launcher.link.LongLink;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Relays in front of servers of this machine that are to answer later than they do ({@link SlowServer}). For one
 * thread.
 */
public final class Detours implements AutoCloseable {
    private static final String HOST = "127.0.0.1:";

    private final Duration slowed;
    private final List<LongLink> links = new ArrayList<>();

    /** @param slowed how much later each answer comes than it would; zero for servers as they are */
    public Detours(Duration slowed) {
        this.slowed = slowed;
    }

    /** Where clients connect instead of a port of loopback: there, or in front of it if servers are slowed. */
    public int port(int port) throws IOException {
        if (slowed.isZero()) {
            return port;
        }
        LongLink link = LongLink.to(port, slowed);
        links.add(link);
        return link.port();
    }

    /** The address, host:port, that clients connect to instead of this one of loopback ({@link #port}). */
    public String endpoint(String endpoint) throws IOException {
        return HOST + port(Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1)));
    }

    /** A text for people, to put behind the name of a slowed program; empty if it is not slowed. */
    public String text() {
        return slowed.isZero() ? "" : ", made to answer " + slowed.toMillis() + " ms later";
    }

    @Override
    public void close() {
        links.forEach(LongLink::close);
    }
}
