import dev.kvstore.client.KvClient;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** A gRPC service of the application's own libraries, called while the SDK does the main job with its own ones. */
public class Beside {
    private static final String SHADED = "dev.kvstore.client.shaded.";

    public static void main(String[] args) throws Exception {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new HealthStatusManager().getHealthService())
                .build()
                .start();
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .build();
        MainJob.main(args);
        System.out.println("own service " + HealthGrpc.newBlockingStub(channel)
                .check(HealthCheckRequest.getDefaultInstance())
                .getStatus());
        try (KvClient client = KvClient.builder()
                .endpoints(args[0])
                .apiKey(args[1])
                .resource("demo")
                .build()) {
            Partition partition = Partition.of(args[2]);
            client.lookup(partition, BlockChain.of(partition, Tokens.of(new int[128])));
            System.out.println("loop " + runs(SHADED + "io.netty.channel.epoll.EpollEventLoop"));
        }
        System.out.println("own loop " + runs("io.netty.channel.epoll.EpollEventLoop"));
        System.out.println("library " + isMapped("/libdev_kvstore_client_shaded_netty_transport_native_epoll"));
        System.out.println("own library " + isMapped("/libnetty_transport_native_epoll"));
        System.out.println("BoringSSL " + Class.forName(SHADED + "io.netty.handler.ssl.OpenSsl")
                .getMethod("isAvailable")
                .invoke(null));
        for (String type : new String[] {"io.netty.channel.Channel", "io.grpc.Channel", "com.google.protobuf.Message"}) {
            System.out.println(jar(type) + " " + jar(SHADED + type).replaceAll("[0-9].*", ""));
        }
        channel.shutdownNow();
        server.shutdownNow();
    }

    /** Whether a thread is in a method of this class. */
    private static boolean runs(String type) {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .anyMatch(frame -> frame.getClassName().equals(type));
    }

    private static boolean isMapped(String library) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.anyMatch(line -> line.contains(library));
        }
    }

    private static String jar(String type) throws Exception {
        return Path.of(Class.forName(type)
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .getFileName()
                .toString();
    }
}
