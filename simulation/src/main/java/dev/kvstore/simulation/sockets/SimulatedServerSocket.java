package dev.kvstore.simulation.sockets;

import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import io.netty.channel.AbstractServerChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelId;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A socket that takes connections to its host. */
public final class SimulatedServerSocket extends AbstractServerChannel {
    private final ChannelConfig config = new DefaultChannelConfig(this);
    private final SimulatedHost host = World.current().host();
    private final SimulatedSockets sockets = SimulatedSockets.current();
    private @Nullable InetSocketAddress address;
    private boolean isClosed;

    public SimulatedServerSocket() {}

    SimulatedHost host() {
        return host;
    }

    /** Accepts a client. The client is connected before the process hears of it, as on a real machine. */
    void accept(SimulatedSocket accepted) {
        try {
            eventLoop().execute(() -> {
                var _ = pipeline().fireChannelRead(accepted);
                var _ = pipeline().fireChannelReadComplete();
            });
        } catch (RejectedExecutionException e) {
            accepted.hangUp();
        }
    }

    @Override
    protected ChannelId newId() {
        return SimulatedSockets.current().nextId();
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return true;
    }

    @Override
    protected @Nullable SocketAddress localAddress0() {
        return address;
    }

    @Override
    protected void doBind(SocketAddress local) {
        InetSocketAddress bound = (InetSocketAddress) local;
        address = bound;
        sockets.listen(bound, this);
    }

    @Override
    protected void doClose() {
        isClosed = true;
        if (address != null) {
            sockets.deafen(address, this);
        }
    }

    @Override
    protected void doBeginRead() {
        // The socket takes all connections that come.
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return !isClosed;
    }

    @Override
    public boolean isActive() {
        return !isClosed && address != null;
    }
}
