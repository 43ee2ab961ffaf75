package dev.kvstore.benchmark.peers.server;

import dev.kvstore.benchmark.peers.load.WorkingSet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.stream.IntStream;

/**
 * Blocks over raw TCP: blocking sockets, a platform thread per connection, and each block handed to the kernel straight
 * from where it lies in memory. A request is two integers, the first block and how many; of each block its length is
 * sent (-1 if it is not there), then its bytes.
 */
final class TcpServer {
    private final ByteBuffer[] blocks;

    TcpServer(WorkingSet set) {
        this.blocks = IntStream.range(0, set.blocks())
                .mapToObj(block -> framed(set, block))
                .toArray(ByteBuffer[]::new);
    }

    /** A block as it is sent. */
    private static ByteBuffer framed(WorkingSet set, int block) {
        if (!set.isStored(block)) {
            return ByteBuffer.allocateDirect(Integer.BYTES).putInt(-1).flip();
        }
        ByteBuffer framed = ByteBuffer.allocateDirect(Integer.BYTES + set.blockBytes());
        framed.putInt(set.blockBytes());
        set.fill(block, framed);
        return framed.rewind();
    }

    void serve(int port) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            while (true) {
                SocketChannel connection = listener.accept();
                Thread.ofPlatform().daemon().start(() -> serve(connection));
            }
        }
    }

    private void serve(SocketChannel accepted) {
        try (SocketChannel connection = accepted) {
            connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
            ByteBuffer request = ByteBuffer.allocateDirect(2 * Integer.BYTES);
            while (connection.read(request) >= 0) {
                if (!request.hasRemaining()) {
                    request.flip();
                    send(connection, request.getInt(), request.getInt());
                    request.clear();
                }
            }
        } catch (IOException e) {
            // The client is gone.
        }
    }

    private void send(SocketChannel connection, int first, int count) throws IOException {
        ByteBuffer[] parts = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            parts[i] = blocks[first + i].duplicate();
        }
        int begun = 0;
        while (begun < count) {
            connection.write(parts, begun, count - begun);
            while (begun < count && !parts[begun].hasRemaining()) {
                begun++;
            }
        }
    }
}
