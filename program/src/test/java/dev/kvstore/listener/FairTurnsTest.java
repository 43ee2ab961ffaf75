package dev.kvstore.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * {@link FairTurns} over sockets, whose connections share one event loop. Each call is heard of by its client's name.
 */
final class FairTurnsTest {
    private static final int MANY = 4_000;
    private static final int PART_CALLS = FairInput.PART / FrameCosts.CALL;
    private static final int LIMIT_SECONDS = 30;
    private static final int CALL_BYTES =
            ClientFrames.frame(ClientFrames.HEADERS, 30).readableBytes();

    private final EventLoopGroup loop = new NioEventLoopGroup(1);
    private final FairTurns turns = new FairTurns();
    private final Map<Integer, String> addresses = new ConcurrentHashMap<>();
    private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
    private final CountDownLatch allSent = new CountDownLatch(1);
    private final List<Socket> clients = new ArrayList<>();
    private final Channel listener = new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .childHandler(new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel accepted) {
                    int port = ((InetSocketAddress) accepted.remoteAddress()).getPort();
                    TurnCalls calls = new TurnCalls(port);
                    accepted.pipeline().addLast(calls);
                    FairInput.on(
                            accepted.pipeline().context(calls),
                            calls,
                            ByteToMessageDecoder.MERGE_CUMULATOR,
                            turns,
                            () -> address(port));
                }
            })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();

    @AfterEach
    void stop() throws IOException {
        for (Socket client : clients) {
            client.close();
        }
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Hears of calls, and has the event loop wait at the first one until all clients have sent theirs. */
    private final class TurnCalls extends ByteToMessageDecoder {
        private final int port;
        private boolean preface = true;

        TurnCalls(int port) {
            this.port = port;
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws InterruptedException {
            int bytes = preface ? FrameCosts.PREFACE_BYTES : CALL_BYTES;
            if (in.readableBytes() < bytes) {
                return;
            }
            in.skipBytes(bytes);
            if (!preface) {
                assertThat(allSent.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
                begun.add(address(port));
            }
            preface = false;
        }
    }

    private String address(int port) {
        return addresses.getOrDefault(port, "unknown");
    }

    private void send(String address, int calls) throws IOException {
        Socket client = new Socket();
        clients.add(client);
        client.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        addresses.put(client.getLocalPort(), address);
        client.connect(listener.localAddress());
        ByteBuf all = ClientFrames.calls(calls);
        all.readBytes(client.getOutputStream(), all.readableBytes());
    }

    private List<String> begun(int count) throws InterruptedException {
        List<String> order = new ArrayList<>();
        while (order.size() < count) {
            String next = begun.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
            assertThat(next)
                    .as("call %d of %d in %d s", order.size() + 1, count, LIMIT_SECONDS)
                    .isNotNull();
            order.add(next);
        }
        return order;
    }

    @Test
    void aCallDoesNotWaitForAllThatAnotherAddressSent() throws Exception {
        send("flood", MANY);
        send("honest", 1);
        allSent.countDown();

        assertThat(begun(MANY + 1).indexOf("honest")).isLessThan(10 * PART_CALLS);
    }

    @Test
    void anAddressGainsNothingByConnectionsOfWhichEachSendsMuch() throws Exception {
        int connections = 8;
        for (int i = 0; i < connections; i++) {
            send("flood", MANY);
        }
        send("busy", MANY);
        allSent.countDown();

        List<String> order = begun((connections + 1) * MANY);
        long ofFlood = order.subList(0, order.lastIndexOf("busy")).stream()
                .filter("flood"::equals)
                .count();
        assertThat(ofFlood).isLessThan(2 * MANY);
    }

    @Test
    void anAddressThatIsAloneHasAllItsCallsBegun() throws Exception {
        send("alone", MANY);
        send("alone", MANY);
        allSent.countDown();

        assertThat(begun(2 * MANY)).containsOnly("alone");
    }
}
