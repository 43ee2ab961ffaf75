package dev.kvstore.dataplane.storage.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ThreadFactory;

/**
 * The threads that move bytes, and the sockets they know: epoll where this machine has it, else Java's own. Threads
 * start when they are needed.
 */
record Loops(EventLoopGroup group, Class<? extends Channel> socket, boolean isNative) {
    // Chunks of 4 MiB, so that buffers of 256 KiB are pooled: Quarkus makes the chunks of Netty's default too small for
    // that.
    private static final int PAGE_BYTES = 8192;
    private static final int CHUNK_ORDER = 9;

    // Buffers that each of our threads keeps of a size: Netty's own defaults. Other threads come by too rarely.
    private static final int SMALL_CACHE = 256;
    private static final int NORMAL_CACHE = 64;

    /** Network memory of all connections. */
    static final ByteBufAllocator MEMORY = new PooledByteBufAllocator(
            true,
            0,
            Runtime.getRuntime().availableProcessors(),
            PAGE_BYTES,
            CHUNK_ORDER,
            SMALL_CACHE,
            NORMAL_CACHE,
            false);

    static Loops start(int threads) {
        ThreadFactory factory = new DefaultThreadFactory("storage-io", true);
        return Epoll.isAvailable()
                ? new Loops(new EpollEventLoopGroup(threads, factory), EpollSocketChannel.class, true)
                : new Loops(new NioEventLoopGroup(threads, factory), NioSocketChannel.class, false);
    }
}
