package dev.kvstore.doctor.service;

import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.FindingKind;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLException;

/** Whether a gRPC port can be reached, and speaks what its clients speak. */
public record PortCheck(ServiceAddress address, Trust trust) implements Check {
    private static final int CONNECT_MILLIS = 3_000;
    private static final int READ_MILLIS = 2_000;
    private static final int FRAME_HEAD = 9;
    private static final int TYPE = 3;
    private static final byte SETTINGS = 4;

    /** The first bytes of a client of HTTP/2, with an empty frame of settings. */
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);

    @Override
    public String subject() {
        return address.toString();
    }

    @Override
    public CheckOutcome look() throws Exception {
        try (Socket socket = connected()) {
            return trust.isTls(address) ? overTls(socket) : inClear(socket);
        } catch (UnknownHostException e) {
            return faulty(FindingKind.HOST_UNKNOWN, "this machine knows no host " + address.host());
        } catch (SocketTimeoutException slow) {
            return faulty(FindingKind.UNREACHABLE, "no connection within " + CONNECT_MILLIS + " ms");
        } catch (IOException e) {
            return faulty(FindingKind.UNREACHABLE, "no connection: " + e.getMessage());
        }
    }

    private CheckOutcome inClear(Socket socket) {
        if (greetsInClear(socket)) {
            return CheckOutcome.SOUND;
        }
        return answersTls()
                ? faulty(FindingKind.TLS_PORT, "the port speaks TLS, and is spoken to in clear")
                : faulty(FindingKind.WRONG_PORT, "the port does not speak gRPC");
    }

    private CheckOutcome overTls(Socket socket) throws Exception {
        Handshake handshake = new Handshake(address, trust.authorities());
        try {
            return handshake.with(socket);
        } catch (SSLException | SocketTimeoutException e) {
            return speaksInClear()
                    ? faulty(FindingKind.PLAINTEXT_PORT, "the port speaks in clear, and is asked for TLS")
                    : faulty(
                            FindingKind.WRONG_PORT, "the port speaks neither TLS nor gRPC in clear: " + e.getMessage());
        }
    }

    private boolean answersTls() {
        try (Socket socket = connected()) {
            var _ = new Handshake(address, null).with(socket);
            return true;
        } catch (Exception e) {
            return false;
        }
    }

    private boolean speaksInClear() {
        try (Socket socket = connected()) {
            return greetsInClear(socket);
        } catch (IOException e) {
            return false;
        }
    }

    /** A connection to the first address of the host that takes one, as clients make it. */
    private Socket connected() throws IOException {
        IOException failure = new UnknownHostException(address.host());
        for (InetAddress place : InetAddress.getAllByName(address.bareHost())) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(place, address.port()), CONNECT_MILLIS);
                socket.setSoTimeout(READ_MILLIS);
                return socket;
            } catch (IOException e) {
                socket.close();
                failure = e;
            }
        }
        throw failure;
    }

    /** Whether the server's first frame is one of settings, as HTTP/2 has it. */
    private static boolean greetsInClear(Socket socket) {
        try {
            socket.getOutputStream().write(PREFACE);
            InputStream in = socket.getInputStream();
            byte[] head = in.readNBytes(FRAME_HEAD);
            return head.length == FRAME_HEAD && head[0] == 0 && head[TYPE] == SETTINGS;
        } catch (IOException e) {
            return false;
        }
    }

    private CheckOutcome faulty(FindingKind kind, String problem) {
        return CheckOutcome.faulty(kind, subject(), problem);
    }
}
