package dev.kvstore.listener;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProtocolException;
import io.netty.handler.codec.haproxy.HAProxyProtocolVersion;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header in which a load balancer names the client of a connection: the PROXY protocol, version 2. The
 * handler stands before TLS and HTTP/2, which begin once the header was read; then it leaves the pipeline. A connection
 * that begins with anything else is refused. Other code limits the time for the header. Only the connection's event
 * loop uses it.
 */
public final class ProxyHeader extends ChannelInboundHandlerAdapter {
    /**
     * The bytes of the longest header. Addresses take 52 bytes; the additions of Azure, AWS or HAProxy take some 200.
     */
    public static final int MOST_BYTES = 1024;

    /** The bytes that the codec allows for besides additions: the first 16 bytes, and the longest addresses. */
    private static final int CODEC_BYTES = 16 + 216;

    private static final Logger LOG = System.getLogger(ProxyHeader.class.getName());

    /** Receives the outcome for the connection. The connection's event loop calls one method, once. */
    public interface ProxyOutcome {
        /** Receives the address of the client that the header names. */
        void from(InetSocketAddress client);

        /** Learns that the connection has no header and must be closed. */
        void refused();
    }

    private final ProxyOutcome outcome;
    // Events for the handlers behind this one, kept until those may begin.
    private final List<Object> events = new ArrayList<>();
    private boolean over;

    public ProxyHeader(ProxyOutcome outcome) {
        this.outcome = outcome;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        var _ = context.pipeline()
                .addBefore(context.name(), null, new HAProxyMessageDecoder(MOST_BYTES - CODEC_BYTES, true));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        events.add(event);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof HAProxyMessage header)) {
            throw new IllegalStateException("the codec lets nothing through but a header");
        }
        try {
            if (!over) {
                InetSocketAddress client = client(header);
                over = true;
                if (client != null) {
                    outcome.from(client);
                }
                events.forEach(context::fireUserEventTriggered);
                var _ = context.pipeline().remove(this);
            }
        } finally {
            header.release();
        }
    }

    /**
     * The client that the header names; null if it names none: the balancer connects for itself, to check the health,
     * or does not know its client.
     *
     * @throws HAProxyProtocolException if the header is of version 1 or names no TCP connection
     */
    private static @Nullable InetSocketAddress client(HAProxyMessage header) {
        if (header.protocolVersion() != HAProxyProtocolVersion.V2) {
            throw new HAProxyProtocolException("the header is of version 1; have the balancer send version 2");
        }
        HAProxyProxiedProtocol protocol = header.proxiedProtocol();
        if (protocol == HAProxyProxiedProtocol.UNKNOWN) {
            return null; // the codec reports this for LOCAL, too, whatever addresses the header has
        }
        if (protocol != HAProxyProxiedProtocol.TCP4 && protocol != HAProxyProxiedProtocol.TCP6) {
            throw new HAProxyProtocolException("the header names a connection of " + protocol);
        }
        return new InetSocketAddress(InetAddress.ofLiteral(header.sourceAddress()), header.sourcePort());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (over) {
            return;
        }
        over = true;
        LOG.log(
                Level.DEBUG,
                () -> "a connection from " + context.channel().remoteAddress()
                        + ", a load balancer's address, begins without a header of the PROXY protocol, version 2: "
                        + cause.getMessage());
        outcome.refused();
        var _ = context.close();
    }
}
