package dev.kvstore.dataplane.storage.http;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The client's options for connections.
 *
 * @param connections most to one host and port, 1 or more; further requests wait
 * @param allConnections most to all hosts together, 1 or more; beyond it, connections that are unused or beyond a
 *     host's share are closed, and requests wait
 * @param proxy through which connections go, but for those within this machine or to a link-local address; null for
 *     none
 * @param localAddresses that connections leave from in turn; empty leaves the choice to the operating system
 * @param dnsTtl how long the addresses of a name are used before it is looked up again
 * @param connectTimeout until a connection stands, and again until its TLS does
 * @param acquireTimeout how long a request waits for one of the connections
 * @param answerTimeout from the end of a request to the beginning of its answer
 * @param silence how long nothing may move in the middle of a request or answer
 * @param idle how long an unused connection is kept; less if the server says so
 */
public record HttpOptions(
        int connections,
        int allConnections,
        @Nullable HttpProxy proxy,
        List<InetAddress> localAddresses,
        Duration dnsTtl,
        Duration connectTimeout,
        Duration acquireTimeout,
        Duration answerTimeout,
        Duration silence,
        Duration idle) {
    // The time is for one round trip, with the SYN sent once again after 1 s and once more after 3 s.
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    // A third of the time that the SDK gives a try: the rest is for the request.
    private static final Duration ACQUIRE_TIMEOUT = Duration.ofSeconds(10);

    // The time that the SDK gives a try.
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    // The longest silence: far more than the service ever pauses.
    private static final Duration SILENCE = Duration.ofSeconds(20);

    // Azure's load balancers forget a silent connection after 4 minutes.
    private static final Duration IDLE = Duration.ofSeconds(60);

    public HttpOptions {
        localAddresses = List.copyOf(localAddresses);
    }

    /** The usual options, except for those that an operator can set. */
    public static HttpOptions of(
            int connections,
            int allConnections,
            @Nullable HttpProxy proxy,
            List<InetAddress> localAddresses,
            Duration dnsTtl) {
        return new HttpOptions(
                connections,
                allConnections,
                proxy,
                localAddresses,
                dnsTtl,
                CONNECT_TIMEOUT,
                ACQUIRE_TIMEOUT,
                ANSWER_TIMEOUT,
                SILENCE,
                IDLE);
    }
}
