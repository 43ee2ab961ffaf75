package dev.kvstore.dataplane.server.settings;

import dev.kvstore.listener.BalancerAddresses;
import dev.kvstore.settings.Described;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Calls and connections of gRPC clients. */
public interface CallSettings {
    @WithDefault("100")
    @Described(
            least = "1",
            most = "100000",
            bounds = "Calls of Read, Write, StreamingRead and StreamingWrite that run at a time; calls that wait for"
                    + " their client do not count.",
            reached =
                    "One more call gets RESOURCE_EXHAUSTED with a retry hint, at once; one of a tenant below its share runs.")
    int maxOperations();

    @WithDefault("1000")
    @Described(
            least = "1",
            most = "100000",
            bounds = "Calls of Lookup, and partitions of LookupAll that are looked at, at a time.",
            reached =
                    "One more call gets RESOURCE_EXHAUSTED with a retry hint, at once; one of a tenant below its share runs.")
    int maxLookups();

    @WithDefault("2000")
    @Described(
            least = "1",
            most = "1000000",
            bounds = "Open calls that wait for their client, of lookups and of other calls each.",
            reached = "Of the tenant that has most, the call idle longest gets RESOURCE_EXHAUSTED with a retry hint.")
    int maxIdleCalls();

    @WithDefault("1000")
    @Described(
            least = "1",
            most = "1000000",
            bounds =
                    "Open connections of gRPC clients that have shown a good API key. Connections without one take the room"
                            + " that is left, and an eighth beyond.",
            reached =
                    "An idle connection of the address that has most is closed for one of another address; else one more is"
                            + " closed with a GOAWAY, and its calls get UNAVAILABLE. Of connections without a key the oldest goes.")
    int maxConnections();

    @WithDefault("20")
    @Described(
            least = "1",
            most = "1000000",
            bounds =
                    "Connections of one address that begin in a second and show no good API key; those of 5 s may begin at once."
                            + " Behind a load balancer it is the address that the PROXY protocol names.",
            reached = "A connection waits up to 5 s for its turn, then it is closed. Connections that were there stay.")
    int maxNewConnections();

    @WithDefault(BalancerAddresses.NO_ADDRESS)
    @Described(
            type = "addresses",
            form = BalancerAddresses.SHAPE,
            bounds =
                    "IP addresses and networks of load balancers, such as 10.0.9.0/24,fd00:9::/64, whose connections begin"
                            + " with a header of the PROXY protocol, version 2. The client that it names counts as the caller. Name"
                            + " no address of others: they could say that they are anybody.",
            reached = "A connection from there without the header is closed; so is one with it from elsewhere.")
    BalancerAddresses proxyProtocolFrom();

    @WithDefault("200")
    @Described(
            least = "1",
            most = "1000000",
            bounds = "Open calls of one connection (HTTP/2 streams).",
            reached = "gRPC keeps further calls in the client until one ends.")
    int maxCallsPerConnection();

    // The range is from HTTP/2's own window to the most whole MiB that Netty takes.
    @WithDefault("64M")
    @Described(
            least = "64K",
            most = "2047M",
            bounds =
                    "HTTP/2 flow-control window of a stream, and a quarter of a connection's: bytes that a client may send"
                            + " before its call reads them. inbound-memory does not count them. 64 KiB for a connection that has"
                            + " shown no good API key.",
            reached = "The client stops sending until the call reads.")
    MemorySize flowControlWindow();

    @WithDefault("10s")
    @Described(
            least = "1s",
            most = "1d",
            bounds = "Time without traffic after which the process pings a connection. A client may ping every 5 s, or"
                    + " twice as often as the process if that is more often.",
            reached = "A connection that does not answer is closed; a client that pings more often gets a GOAWAY.")
    Duration keepaliveInterval();

    @WithDefault("30s")
    @Described(
            least = "1s",
            most = "1d",
            bounds = "Time that a client may leave a response unread, or a message or block half sent; a block gets a"
                    + " second more for each MiB.",
            reached = "The call gets DEADLINE_EXCEEDED; a call whose response is unread is reset (CANCELLED).")
    Duration clientStallTimeout();

    @WithDefault("5s")
    @Described(
            least = "0s",
            most = "1h",
            bounds = "Time that a draining process still serves new calls, while clients learn that it drains.",
            reached = "New calls get UNAVAILABLE with reason DRAINING; the SDK sends them elsewhere.")
    Duration drainGracePeriod();

    @WithDefault("15s")
    @Described(
            least = "0s",
            most = "1h",
            bounds = "Time that a process which stops waits for its running calls, after drain-grace-period.",
            reached = "The calls are cut off; the log says how many.")
    Duration drainTimeout();
}
