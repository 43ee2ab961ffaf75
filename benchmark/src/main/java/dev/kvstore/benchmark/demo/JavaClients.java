package dev.kvstore.benchmark.demo;

import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.launcher.stack.LocalStack;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Clients with the Java SDK. For one thread. */
final class JavaClients implements DemoClients {
    // As many blocks as are computed ahead of their acknowledgement.
    private static final int WRITE_BUFFERS = 16;

    private final String key;
    private final BlockingQueue<ByteBuffer> buffers = new ArrayBlockingQueue<>(WRITE_BUFFERS);

    JavaClients(String key, int blockBytes) {
        this.key = key;
        for (int i = 0; i < WRITE_BUFFERS; i++) {
            buffers.add(ByteBuffer.allocateDirect(blockBytes));
        }
    }

    @Override
    public String library() {
        return "the Java SDK";
    }

    @Override
    public DemoClient direct(String endpoint) {
        return client(KvClient.builder().endpoints(endpoint));
    }

    @Override
    public DemoClient routed(String controlPlane, String region, Path routes) {
        return client(
                KvClient.builder().controlPlane(controlPlane).region(region).routeCache(routes));
    }

    private DemoClient client(KvClientBuilder builder) {
        return new JavaClient(builder.resource(LocalStack.RESOURCE).apiKey(key).build(), buffers);
    }
}
