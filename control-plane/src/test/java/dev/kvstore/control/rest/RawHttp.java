package dev.kvstore.control.rest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.restassured.RestAssured;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** HTTP as no client would speak it: nothing is encoded, checked or put right. Each request has its own connection. */
final class RawHttp {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final String VERSION = "HTTP/1.1 ";
    private static final int PIECE = 64 * 1024;

    /**
     * The answer.
     *
     * @param status 0 if nothing did
     * @param contentType empty if none was said
     */
    record RawAnswer(int status, String contentType, String text) {}

    private RawHttp() {}

    /** A request with a body whose length is said; with none if it is null. */
    static RawAnswer send(String method, String target, Map<String, String> headers, @Nullable String body) {
        byte[] bytes = body == null ? new byte[0] : body.getBytes(UTF_8);
        Map<String, String> all = new TreeMap<>(headers);
        if (body != null) {
            all.put("Content-Length", Integer.toString(bytes.length));
        }
        return exchange(method, target, all, out -> {
            for (int at = 0; at < bytes.length; at += PIECE) {
                out.write(bytes, at, Math.min(PIECE, bytes.length - at));
            }
        });
    }

    /** The same, not saying how long it will be. */
    static RawAnswer sendChunked(String method, String target, Map<String, String> headers, String body) {
        byte[] bytes = body.getBytes(UTF_8);
        Map<String, String> all = new TreeMap<>(headers);
        all.put("Transfer-Encoding", "chunked");
        return exchange(method, target, all, out -> {
            for (int at = 0; at < bytes.length; at += PIECE) {
                int length = Math.min(PIECE, bytes.length - at);
                out.write((Integer.toHexString(length) + "\r\n").getBytes(US_ASCII));
                out.write(bytes, at, length);
                out.write("\r\n".getBytes(US_ASCII));
            }
            out.write("0\r\n\r\n".getBytes(US_ASCII));
        });
    }

    /** Writes a body. */
    @FunctionalInterface
    private interface BodyStream {
        void write(OutputStream out) throws IOException;
    }

    private static RawAnswer exchange(String method, String target, Map<String, String> headers, BodyStream body) {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n");
        headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        head.append("Connection: close\r\n\r\n");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            try {
                socket.getOutputStream().write(head.toString().getBytes(UTF_8));
                body.write(socket.getOutputStream());
            } catch (IOException alreadyRefused) {
                // Its answer can still be read.
            }
            return answer(read(socket.getInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(InputStream in) {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try {
            in.transferTo(read);
        } catch (IOException cutOff) {
            // It does not wait for the rest of what it has refused.
        }
        return read.toString(ISO_8859_1);
    }

    private static RawAnswer answer(String response) {
        int end = response.indexOf("\r\n\r\n");
        if (end < 0) {
            return new RawAnswer(0, "", response);
        }
        List<String> head = response.substring(0, end).lines().toList();
        String type = "";
        for (String header : head) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-type:")) {
                type = header.substring("content-type:".length()).strip();
            }
        }
        String status = head.getFirst().substring(VERSION.length(), VERSION.length() + 3);
        return new RawAnswer(Integer.parseInt(status), type, response.substring(end + 4));
    }
}
