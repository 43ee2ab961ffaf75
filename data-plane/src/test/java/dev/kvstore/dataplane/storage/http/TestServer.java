package dev.kvstore.dataplane.storage.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A server that does with each connection what a test says, byte by byte. */
final class TestServer implements AutoCloseable {
    /** The script of a connection, on a thread of its own; the connection is closed afterwards. */
    @FunctionalInterface
    interface Behaviour {
        void serve(Talk talk) throws Exception;
    }

    private static final int BACKLOG = 500;

    private final ServerSocket listener;
    private final Queue<Talk> talks = new ConcurrentLinkedQueue<>();
    private final Thread acceptor;
    private final Socket kept = new Socket();

    TestServer(Behaviour behaviour) throws IOException {
        this(new ServerSocket(), behaviour);
    }

    TestServer(ServerSocket listener, Behaviour behaviour) throws IOException {
        this.listener = listener;
        if (!listener.isBound()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        }
        acceptor = Thread.ofVirtual().start(() -> accept(behaviour));
    }

    private void accept(Behaviour behaviour) {
        try {
            while (true) {
                Talk talk = new Talk(listener.accept());
                talks.add(talk);
                Thread.ofVirtual().start(() -> talk.run(behaviour));
            }
        } catch (IOException e) {
            // Closed at the end of the test.
        }
    }

    /** Connections so far. */
    Queue<Talk> talks() {
        return talks;
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Refuses connections from now on; connections that stand go on, and no other program gets the port. */
    void stopListening() throws IOException, InterruptedException {
        SocketAddress address = listener.getLocalSocketAddress();
        listener.close();
        // A thread in accept may take one more connection.
        acceptor.join();
        kept.setReuseAddress(true);
        kept.bind(address);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        kept.close();
        for (Talk talk : talks) {
            talk.close();
        }
    }

    /** One connection. */
    static final class Talk {
        private final Socket socket;

        private Talk(Socket socket) {
            this.socket = socket;
        }

        private void run(Behaviour behaviour) {
            try (socket) {
                behaviour.serve(this);
            } catch (Exception e) {
                // The client has gone, which each test sees at the client.
            }
        }

        /** Where it comes from. */
        InetAddress peer() {
            return socket.getInetAddress();
        }

        Socket socket() {
            return socket;
        }

        /** Reads up to the empty line behind a head; an empty text at the end of the connection. */
        String head() throws IOException {
            InputStream in = socket.getInputStream();
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                head.write(next);
                if (head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
                    return head.toString(ISO_8859_1);
                }
            }
            return "";
        }

        void send(String text) throws IOException {
            send(text.getBytes(ISO_8859_1));
        }

        void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        }

        /** Answers each request with the same, for as long as the client asks. */
        void answerAll(String answer) throws IOException {
            while (!head().isEmpty()) {
                send(answer);
            }
        }

        /** Ends the connection without a goodbye. */
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        private void close() throws IOException {
            socket.close();
        }
    }
}
