package com.example.gateway;

import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.client.TransportOptions;
import dev.kvstore.client.micrometer.KvClientMeters;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.stream.IntStream;

/** The main job in a named module: endpoint, key and partition are its arguments. */
public class Gateway {
    public static void main(String[] args) throws Exception {
        Module sdk = KvClient.class.getModule();
        System.out.println(
                "module " + sdk.getName() + ", automatic " + sdk.getDescriptor().isAutomatic());
        MainJob.main(args);
        System.out.println("grpc-java " + lookupWithGrpcJava(args));
        if (ModuleLayer.boot().findModule("micrometer.core").isPresent()) {
            Meters.print(args);
        }
    }

    /** grpc-java finds its parts as services, which a named module must provide. */
    private static int lookupWithGrpcJava(String[] args) {
        Partition partition = Partition.of(args[2]);
        int[] prompt = IntStream.range(0, 5 * 128).toArray();
        TransportOptions stack = TransportOptions.DEFAULT.withStack(TransportOptions.Stack.GRPC_JAVA);
        try (KvClient client = builder(args).transport(stack).build()) {
            return client.lookup(partition, BlockChain.of(partition, Tokens.of(prompt)))
                    .cachedBlocks();
        }
    }

    private static KvClientBuilder builder(String[] args) {
        return KvClient.builder().endpoints(args[0]).apiKey(args[1]).resource("demo");
    }

    private static class Meters {
        static void print(String[] args) {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            try (KvClient client = builder(args).build()) {
                new KvClientMeters(client).bindTo(registry);
                System.out.println("meters " + !registry.getMeters().isEmpty());
            }
        }
    }
}
