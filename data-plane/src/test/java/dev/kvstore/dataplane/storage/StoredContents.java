package dev.kvstore.dataplane.storage;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Contents to store, and many threads to store them. */
public final class StoredContents {
    private StoredContents() {}

    /** Off-heap content that its seed and length determine. */
    public static ByteBuffer random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return ByteBuffer.allocateDirect(length).put(bytes).flip();
    }

    /** The answers of several threads that start at one moment. */
    public static <T> List<T> together(int threads, IndexedCall<T> call) throws Exception {
        CountDownLatch start = new CountDownLatch(threads);
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> answers = IntStream.range(0, threads)
                    .mapToObj(i -> executor.submit((Callable<T>) () -> {
                        start.countDown();
                        start.await();
                        return call.call(i);
                    }))
                    .toList();
            List<T> results = new ArrayList<>();
            for (Future<T> answer : answers) {
                results.add(answer.get());
            }
            return results;
        }
    }

    /** A call that knows which of several it is. */
    @FunctionalInterface
    public interface IndexedCall<T> {
        T call(int index) throws Exception;
    }
}
