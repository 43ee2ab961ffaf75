package dev.kvstore.simulation.sockets;

import io.netty.channel.DefaultEventLoopGroup;
import java.util.concurrent.ThreadFactory;

/** Event loops of the host that makes them. They replace Netty's event loops that ask the operating system. */
public final class HostEventLoops extends DefaultEventLoopGroup {
    public HostEventLoops(int threads, ThreadFactory factory) {
        super(threads, factory);
    }
}
