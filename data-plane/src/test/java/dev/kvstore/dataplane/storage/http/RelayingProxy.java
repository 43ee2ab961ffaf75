package dev.kvstore.dataplane.storage.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP proxy that leads to one server of this machine, whichever host it is asked for. */
public final class RelayingProxy implements AutoCloseable {
    private static final int MOST_HEAD_BYTES = 16 << 10;

    private final ServerSocket listener;
    private final InetSocketAddress server;
    private final String answer;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** @param answer to CONNECT, such as {@code 200 OK} */
    public RelayingProxy(InetSocketAddress server, String answer) throws IOException {
        this.server = server;
        this.answer = answer;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var _ = threads.submit(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** The first lines of what it was asked. */
    public List<String> asked() {
        return asked;
    }

    private Object accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            var _ = threads.submit(() -> serve(client));
        }
    }

    private Object serve(Socket client) throws Exception {
        try (client;
                Socket onwards = new Socket(server.getAddress(), server.getPort())) {
            String head = head(client.getInputStream());
            asked.add(head.lines().findFirst().orElseThrow());
            boolean tunnel = head.startsWith("CONNECT ");
            OutputStream there = tunnel ? client.getOutputStream() : onwards.getOutputStream();
            there.write((tunnel ? "HTTP/1.1 " + answer + "\r\n\r\n" : head).getBytes(ISO_8859_1));
            var back = threads.submit(() -> onwards.getInputStream().transferTo(client.getOutputStream()));
            client.getInputStream().transferTo(onwards.getOutputStream());
            onwards.shutdownOutput();
            return back.get();
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (bytes.size() < MOST_HEAD_BYTES && !bytes.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the client left");
            }
            bytes.write(next);
        }
        return bytes.toString(ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdownNow();
    }
}
