package dev.kvstore.benchmark.peers.server;

import java.io.IOException;
import java.io.OutputStream;

/** Ends this process when the one that started it closes its standard input, or is gone. */
final class ParentWatch {
    private ParentWatch() {}

    static void begin() {
        Thread.ofPlatform().daemon().name("parent watch").start(() -> {
            try {
                var _ = System.in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                // It is gone as well.
            }
            Runtime.getRuntime().halt(0);
        });
    }
}
