package dev.kvstore.listener;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * The current context for new connections; open connections keep theirs. A whole context is replaced, not only its key,
 * so that no session made under the old certificates is resumed under the new. The engines take many records at a time,
 * as Netty's handlers need; by default contexts make engines that take one record, like the JDK's. Thread-safe if the
 * supplier is.
 */
public final class FollowingSslContext extends SslContext {
    private final Supplier<SslContext> current;

    public FollowingSslContext(Supplier<SslContext> current) {
        this.current = current;
    }

    @Override
    public boolean isClient() {
        return current.get().isClient();
    }

    @Override
    public List<String> cipherSuites() {
        return current.get().cipherSuites();
    }

    @Override
    @SuppressWarnings("deprecation") // SslContext demands this of its subclasses
    public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
        return current.get().applicationProtocolNegotiator();
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator) {
        return current.get().newHandler(allocator).engine();
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
        return current.get().newHandler(allocator, peerHost, peerPort).engine();
    }

    @Override
    public SSLSessionContext sessionContext() {
        return current.get().sessionContext();
    }
}
