package dev.kvstore.benchmark.demo;

import dev.kvstore.benchmark.python.PythonEnvironment;
import dev.kvstore.launcher.stack.LocalStack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Clients in Python, each a process of its own.
 *
 * @param key the API key; goes by the environment, which other users do not see
 * @param folder the folder of the stack, for files and logs
 */
record PythonClients(PythonEnvironment python, String key, int blockBytes, Path folder) implements DemoClients {
    @Override
    public String library() {
        return "the Python client";
    }

    @Override
    public DemoClient direct(String endpoint) throws InterruptedException {
        return client(Map.of("endpoints", List.of(endpoint)));
    }

    @Override
    public DemoClient routed(String controlPlane, String region, Path routes) throws InterruptedException {
        return client(Map.of("control_plane", List.of(controlPlane), "region", region));
    }

    private DemoClient client(Map<String, Object> options) throws InterruptedException {
        try {
            return PythonClient.start(this, LocalStack.RESOURCE, options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
