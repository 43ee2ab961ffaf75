package dev.kvstore.benchmark.peers.server;

import dev.kvstore.benchmark.peers.load.Damage;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import java.io.IOException;
import java.io.OutputStream;

/** The program of the servers that are brought along, which ends when its standard input does. */
public final class BlockServer {
    private BlockServer() {}

    /** Arguments: {@code tcp} or {@code grpc}, port of the loopback address, bytes per block, damage. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Thread.ofPlatform().daemon().name("parent watch").start(() -> {
            try {
                var _ = System.in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                // It is gone as well.
            }
            Runtime.getRuntime().halt(0);
        });
        int port = Integer.parseInt(arguments[1]);
        WorkingSet set = WorkingSet.of(Integer.parseInt(arguments[2]), Damage.valueOf(arguments[3]));
        if (arguments[0].equals("tcp")) {
            new TcpServer(set).serve(port);
        } else {
            new GrpcServer(set).serve(port);
        }
    }
}
