package dev.kvstore.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.kvstore.launcher.stack.Metrics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** A JVM that has a proxy for HTTP, which leads to no process of this machine. */
class ProcessesBesideProxyTest {
    @Test
    void processesOfThisMachineAreAskedDirectly() throws Exception {
        ProxySelector before = ProxySelector.getDefault();
        HttpServer process = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        process.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        process.start();
        try (Socket nobody = new Socket()) {
            // A port that refuses connections.
            nobody.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            ProxySelector.setDefault(
                    ProxySelector.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), nobody.getLocalPort())));
            URI url = URI.create("http://127.0.0.1:" + process.getAddress().getPort() + "/");

            assertThat(Readiness.http(url).isReady()).isTrue();
            assertThat(Metrics.scrape(url)).isNotNull();
        } finally {
            ProxySelector.setDefault(before);
            process.stop(0);
        }
    }
}
