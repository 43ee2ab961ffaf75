package dev.kvstore.benchmark.peers.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Raw TCP over blocking sockets, a connection per caller: what this machine's loopback gives a Java program. A request
 * is two integers, the first block and how many; of each block its length comes back (-1 if it is not there), then its
 * bytes.
 */
final class TcpLoad implements PeerLoad {
    /** Larger reads leave the CPU's cache, and are slower. */
    private static final int BUFFER_BYTES = 256 << 10;

    private final WorkingSet set;
    private final InetSocketAddress server;
    private final AtomicInteger next = new AtomicInteger();

    TcpLoad(LoadTarget target) {
        this.set = target.workingSet();
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), target.port());
    }

    @Override
    public LoadClient caller(PeerOperation operation) throws IOException {
        return new TcpConnection();
    }

    @Override
    public void verify(PeerOperation operation) throws IOException {
        try (TcpConnection connection = new TcpConnection()) {
            for (int block = 0; block < set.blocks(); block++) {
                if (set.index(block) == 0) {
                    connection.ask(block);
                }
                ByteBuffer bytes = ByteBuffer.allocate(set.blockBytes());
                connection.receive(block, bytes);
                set.verify(block, List.of(bytes.flip()));
            }
        }
    }

    @Override
    public void close() {
        // Callers have the connections.
    }

    private final class TcpConnection implements LoadClient {
        private final SocketChannel channel = SocketChannel.open();
        private final ByteBuffer request = ByteBuffer.allocateDirect(2 * Integer.BYTES);

        /** Between position and limit: bytes that have arrived and were not looked at yet. */
        private final ByteBuffer buffer =
                ByteBuffer.allocateDirect(BUFFER_BYTES).flip();

        private TcpConnection() throws IOException {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.connect(server);
        }

        @Override
        public void once(LongAdder bytes) throws IOException {
            int first = Math.floorMod(next.getAndIncrement(), set.prompts().size()) * set.blocksPerPrompt();
            ask(first);
            for (int block = first; block < first + set.blocksPerPrompt(); block++) {
                receive(block, null);
                bytes.add(set.blockBytes());
            }
        }

        private void ask(int first) throws IOException {
            request.clear().putInt(first).putInt(set.blocksPerPrompt()).flip();
            while (request.hasRemaining()) {
                channel.write(request);
            }
        }

        /** Takes the bytes of the next block, and drops them if nobody wants them. */
        private void receive(int block, @Nullable ByteBuffer wanted) throws IOException {
            requireLength(block);
            int left = set.blockBytes();
            while (left > 0) {
                if (!buffer.hasRemaining()) {
                    buffer.clear();
                    read();
                    buffer.flip();
                }
                int some = Math.min(left, buffer.remaining());
                if (wanted != null) {
                    wanted.put(buffer.slice(buffer.position(), some));
                }
                buffer.position(buffer.position() + some);
                left -= some;
            }
        }

        private void requireLength(int block) throws IOException {
            if (buffer.remaining() < Integer.BYTES) {
                buffer.compact();
                while (buffer.position() < Integer.BYTES) {
                    read();
                }
                buffer.flip();
            }
            int length = buffer.getInt();
            if (length < 0) {
                throw new BadBlockException("block " + block + " is missing");
            }
            set.verifyLength(block, length);
        }

        private void read() throws IOException {
            if (channel.read(buffer) < 0) {
                throw new EOFException("the server closed the connection");
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
