package dev.kvstore.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Locale;

/** One end of a relayed connection: reads messages of HTTP/1.1 and passes them on unchanged. One thread uses it. */
final class HttpRelay {
    private static final int COPY_BYTES = 64 << 10;
    private static final String END = "\r\n\r\n";

    private final InputStream in;
    private final OutputStream out;

    HttpRelay(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream(), COPY_BYTES);
        this.out = socket.getOutputStream();
    }

    /** Reads the next head with its empty line; empty at the end of the connection. */
    String head() throws IOException {
        return readTo(END);
    }

    void send(String text) throws IOException {
        out.write(text.getBytes(ISO_8859_1));
        out.flush();
    }

    /** The value of a header, or an empty text. */
    static String header(String head, String name) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** The length of the body that a head announces, in bytes. */
    static long length(String head) {
        String length = header(head, "content-length");
        return length.isEmpty() ? 0 : Long.parseLong(length);
    }

    static boolean isChunked(String head) {
        return header(head, "transfer-encoding").equalsIgnoreCase("chunked");
    }

    void copy(HttpRelay to, long bytes) throws IOException {
        byte[] buffer = new byte[COPY_BYTES];
        for (long left = bytes; left > 0; ) {
            int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (read < 0) {
                throw new IOException("ended " + left + " bytes early");
            }
            to.out.write(buffer, 0, read);
            left -= read;
        }
        to.out.flush();
    }

    /** Reads a body of this length and drops it. */
    void skip(long bytes) throws IOException {
        in.skipNBytes(bytes);
    }

    void copyChunks(HttpRelay to) throws IOException {
        long size;
        do {
            String line = readTo("\r\n");
            size = Long.parseLong(line.strip(), 16);
            to.send(line);
            copy(to, size + 2);
        } while (size > 0);
    }

    private String readTo(String end) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        int matched = 0;
        while (matched < end.length()) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            text.write(next);
            matched = next == end.charAt(matched) ? matched + 1 : next == end.charAt(0) ? 1 : 0;
        }
        return text.toString(ISO_8859_1);
    }
}
