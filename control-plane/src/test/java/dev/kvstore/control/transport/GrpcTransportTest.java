package dev.kvstore.control.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kvstore.listener.BalancerAddresses;
import dev.kvstore.listener.ListenerConnections;
import dev.kvstore.listener.ListenerTls;
import dev.kvstore.listener.NewConnections;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.testing.CallOrder;
import dev.kvstore.testing.HeaderRelay;
import dev.kvstore.testing.IdentityEncoding;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.ProxyHeaders;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link GrpcTransport}: TLS, and who shows a certificate. */
class GrpcTransportTest {
    /** Behind the preface, the frame of settings, and the length and type of the call's frame. */
    private static final int FLAGS_OF_FIRST_CALL = 24 + 9 + 4;

    /** The headers are whole, and the call goes on. */
    private static final byte HEADERS_END = 4;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init")
    private TestAuthority authority;

    @SuppressWarnings("NullAway.Init")
    private Server server;

    private final ListenerConnections connections = connections(10, 50);

    private static ListenerConnections connections(int limit, int perSecond) {
        return new ListenerConnections(
                limit, new NewConnections(perSecond, System::nanoTime), ListenerConnections.Surplus.ANY);
    }

    /** For each call, the number of certificates that its connection showed. */
    private final BlockingQueue<Integer> shown = new LinkedBlockingQueue<>();

    private final class Certificates implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
            int count = 0;
            try {
                count = session == null ? 0 : session.getPeerCertificates().length;
            } catch (SSLPeerUnverifiedException e) {
                // It showed none.
            }
            shown.add(count);
            return next.startCall(call, headers);
        }
    }

    private static final class SlowService implements AccountServiceGrpc.AsyncService, io.grpc.BindableService {
        @Override
        public io.grpc.ServerServiceDefinition bindService() {
            return AccountServiceGrpc.bindService(this);
        }

        @Override
        public void resolve(ResolveRequest request, StreamObserver<ResolveResponse> call) {
            call.onNext(ResolveResponse.getDefaultInstance());
            call.onCompleted();
        }
    }

    @BeforeEach
    void issue() throws IOException {
        authority = new TestAuthority(folder, "authority");
    }

    private void start(Optional<Issued> own, Optional<Path> clients) throws IOException {
        start("none", own, clients);
    }

    private void start(String balancers, Optional<Issued> own, Optional<Path> clients) throws IOException {
        start(connections, balancers, own, clients);
    }

    private void start(ListenerConnections counted, String balancers, Optional<Issued> own, Optional<Path> clients)
            throws IOException {
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Optional<ListenerTls> tls;
        try {
            tls = PortTls.tls(own.map(Issued::chain), own.map(Issued::key), clients);
        } catch (BadPemException e) {
            throw new IllegalStateException(e);
        }
        new GrpcTransport(counted, BalancerAddresses.of(balancers), tls).customize(builder);
        server = builder.addService(new SlowService())
                .intercept(new Certificates())
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        server.shutdownNow();
    }

    private void resolve(ChannelCredentials credentials) {
        resolve(server.getPort(), credentials);
    }

    private void resolve(int port, ChannelCredentials credentials) {
        ManagedChannel channel =
                Grpc.newChannelBuilderForAddress("localhost", port, credentials).build();
        try {
            var _ = AccountServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(Patience.LIMIT)
                    .resolve(ResolveRequest.getDefaultInstance());
        } finally {
            channel.shutdownNow();
        }
    }

    private ChannelCredentials tls(Optional<Issued> certificate) throws IOException {
        TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder()
                .trustManager(authority.certificate().toFile());
        if (certificate.isPresent()) {
            builder.keyManager(
                    certificate.get().chain().toFile(), certificate.get().key().toFile());
        }
        return builder.build();
    }

    @Test
    void anAddressThatBeginsConnectionsTooFastWaitsForItsTurn() throws IOException {
        ListenerConnections slow = connections(1_000, 1);
        start(slow, "none", Optional.empty(), Optional.empty());
        resolve(InsecureChannelCredentials.create());
        List<Socket> flood = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                flood.add(new Socket(
                        InetAddress.getLoopbackAddress(), server.getPort(), InetAddress.ofLiteral("127.0.0.2"), 0));
            }
            resolve(InsecureChannelCredentials.create());

            assertThat(slow.open()).as("connections that had their turn").isLessThan(20);
        } finally {
            for (Socket socket : flood) {
                socket.close();
            }
        }
    }

    @Test
    void aCallMaySayThatItIsNotCompressed() throws IOException {
        start(Optional.empty(), Optional.empty());
        ManagedChannel channel = IdentityEncoding.channel("localhost:" + server.getPort());
        try {
            assertThatCode(() -> AccountServiceGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(Patience.LIMIT)
                            .resolve(ResolveRequest.getDefaultInstance()))
                    .doesNotThrowAnyException();
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void aCallDoesNotWaitForAllThatAnotherAddressSent() throws Exception {
        int many = 150;
        CallOrder order = new CallOrder();
        EventLoopGroup loop = new NioEventLoopGroup(1);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .channelType(NioServerSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .directExecutor();
        new GrpcTransport(connections, BalancerAddresses.of(BalancerAddresses.NO_ADDRESS), Optional.empty())
                .customize(builder);
        server = builder.addService(new SlowService()).intercept(order).build().start();
        try (Socket flood = connect("127.0.0.2");
                Socket honest = connect("127.0.0.1")) {
            flood.getOutputStream().write(CallOrder.calls(AccountServiceGrpc.getResolveMethod(), "flood", many));
            honest.getOutputStream().write(CallOrder.calls(AccountServiceGrpc.getResolveMethod(), "honest", 1));
            order.allSent();

            assertThat(order.begun(many + 1).indexOf("honest")).isLessThan(many / 2);
        } finally {
            server.shutdownNow();
            var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private Socket connect(String from) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.getPort(), InetAddress.ofLiteral(from), 0);
    }

    @Test
    void twoConnectionsOfOneFarEndToTwoAddressesCountBoth() throws IOException {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(0));
        new GrpcTransport(connections, BalancerAddresses.of(BalancerAddresses.NO_ADDRESS), Optional.empty())
                .customize(builder);
        server = builder.addService(new SlowService()).build().start();
        try (Socket one = new Socket();
                Socket other = new Socket()) {
            one.setReuseAddress(true);
            other.setReuseAddress(true);
            one.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.9"), 0));
            one.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.getPort()));
            other.bind(one.getLocalSocketAddress());
            other.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), server.getPort()));

            await().atMost(Patience.LIMIT).until(() -> connections.open() == 2);
            one.setSoTimeout((int) Patience.LIMIT.toMillis());
            other.setSoTimeout((int) Patience.LIMIT.toMillis());
            assertThat(one.getInputStream().readAllBytes()).isNotEmpty();
            assertThat(other.getInputStream().readAllBytes()).isNotEmpty();
        }
    }

    @Test
    void aConnectionWithAHalfSentCallAndNoGoodCredentialIsClosed() throws IOException {
        start(Optional.empty(), Optional.empty());
        try (Socket stranger = connect("127.0.0.2")) {
            stranger.setSoTimeout((int) Patience.LIMIT.toMillis());
            byte[] call = CallOrder.calls(AccountServiceGrpc.getResolveMethod(), "stranger", 1);
            call[FLAGS_OF_FIRST_CALL] = HEADERS_END;
            stranger.getOutputStream().write(call);

            assertThat(stranger.getInputStream().readAllBytes()).isNotEmpty();
        }
    }

    @Test
    void withACertificateItSpeaksTlsAlone() throws IOException {
        start(Optional.of(authority.issue("server")), Optional.empty());

        resolve(tls(Optional.empty()));

        assertThat(shown).containsExactly(0);
        assertThat(connections.open()).isLessThanOrEqualTo(1);
        assertThatThrownBy(() -> resolve(InsecureChannelCredentials.create())).hasMessageContaining("UNAVAILABLE");
    }

    @Test
    void aClientsCertificateIsOfTheAuthorityOrThereIsNone() throws IOException {
        start(Optional.of(authority.issue("server")), Optional.of(authority.certificate()));
        Issued stranger = new TestAuthority(folder, "others").issue("stranger");

        resolve(tls(Optional.of(authority.issue("plane"))));
        resolve(tls(Optional.empty()));

        // Asked for one of this authority, it shows none.
        resolve(tls(Optional.of(stranger)));

        assertThat(shown.poll()).isPositive();
        assertThat(shown).containsExactly(0, 0);
    }

    @Test
    void withoutACertificateItSpeaksInTheClear() throws IOException {
        start(Optional.empty(), Optional.empty());

        resolve(InsecureChannelCredentials.create());

        assertThat(shown).containsExactly(0);
    }

    @Test
    void aConnectionOfALoadBalancerBeginsWithAHeaderAlsoBeforeTls() throws IOException {
        start("127.0.0.2", Optional.of(authority.issue("server")), Optional.empty());

        try (HeaderRelay balancer = new HeaderRelay("127.0.0.2", ProxyHeaders.of("198.51.100.2"), server.getPort())) {
            resolve(balancer.port(), tls(Optional.empty()));
        }

        assertThat(shown).containsExactly(0);
    }

    @Test
    void aConnectionOfALoadBalancerWithoutAHeaderIsClosed() throws IOException {
        start("127.0.0.2", Optional.empty(), Optional.empty());

        try (HeaderRelay balancer = new HeaderRelay("127.0.0.2", new byte[0], server.getPort())) {
            assertThatThrownBy(() -> resolve(balancer.port(), InsecureChannelCredentials.create()))
                    .hasMessageContaining("UNAVAILABLE");
        }

        assertThat(shown).isEmpty();
    }

    @Test
    void aHeaderFromAnybodyElseIsRefused() throws IOException {
        start("127.0.0.2", Optional.empty(), Optional.empty());

        try (HeaderRelay other = new HeaderRelay("127.0.0.3", ProxyHeaders.of("198.51.100.2"), server.getPort())) {
            assertThatThrownBy(() -> resolve(other.port(), InsecureChannelCredentials.create()))
                    .isInstanceOf(StatusRuntimeException.class);
        }
        resolve(InsecureChannelCredentials.create());

        assertThat(shown).containsExactly(0);
    }
}
