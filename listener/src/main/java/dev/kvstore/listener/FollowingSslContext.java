package dev.kvstore.listener;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * The context of new connections, whichever that is by now; those there are keep theirs. A whole context is replaced,
 * not what its key manager answers, so that no session made under the old certificates is resumed under the new. An
 * engine is one of those that take many records at a time, as Netty's handlers have them; by themselves contexts make
 * such as take one, as the JDK's do. Thread-safe if the supplier is.
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
    @SuppressWarnings("deprecation") // what SslContext asks its subclasses for
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
