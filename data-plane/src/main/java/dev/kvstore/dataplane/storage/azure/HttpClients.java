package dev.kvstore.dataplane.storage.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.ProxyOptions;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.util.Configuration;
import dev.kvstore.dataplane.storage.http.HttpOptions;
import dev.kvstore.dataplane.storage.http.HttpProxy;
import dev.kvstore.dataplane.storage.http.NettyHttpClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetSocketAddress;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes the clients there are. Stateless. */
final class HttpClients {
    // The time is for one round trip, with the SYN sent once again after 1 s and once more after 3 s.
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    // Silence on a connection, in either direction: far more than the service ever pauses.
    private static final Duration SILENCE = Duration.ofSeconds(20);

    private HttpClients() {}

    /** A client of its own, which the caller closes if it can be closed. */
    static HttpClient open(Outbound outbound, MeterRegistry registry) {
        return switch (outbound.transport()) {
            case NETTY ->
                new AzureHttp(new NettyHttpClient(
                        HttpOptions.of(
                                outbound.connections(),
                                outbound.allConnections(),
                                outbound.proxy(),
                                outbound.localAddresses(),
                                outbound.dnsTtl()),
                        registry));
            case JDK -> jdk(outbound.proxy());
        };
    }

    private static HttpClient jdk(@Nullable HttpProxy proxy) {
        // The service speaks only HTTP/1.1. No proxy is used but the one that is set: neither the JVM's nor the
        // environment's.
        JdkHttpClientBuilder builder = new JdkHttpClientBuilder(java.net.http.HttpClient.newBuilder()
                        .version(Version.HTTP_1_1)
                        .proxy(java.net.http.HttpClient.Builder.NO_PROXY))
                .configuration(Configuration.NONE)
                .connectionTimeout(CONNECT_TIMEOUT)
                .responseTimeout(Duration.ofSeconds(AzureStores.TRY_SECONDS))
                .writeTimeout(SILENCE)
                .readTimeout(SILENCE);
        return proxy == null
                ? builder.build()
                : builder.proxy(new ProxyOptions(
                                        ProxyOptions.Type.HTTP,
                                        InetSocketAddress.createUnresolved(proxy.host(), proxy.port()))
                                .setNonProxyHosts(HttpProxy.DIRECT_HOSTS))
                        .build();
    }
}
