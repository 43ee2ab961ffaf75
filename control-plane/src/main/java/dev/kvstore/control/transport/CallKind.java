package dev.kvstore.control.transport;

import dev.kvstore.listener.BriefCall;
import java.time.Duration;
import java.util.Map;

/** Kinds of calls. No kind takes room from another; tenants and clusters share the calls of a kind. */
enum CallKind {
    /** Questions about the rights of a key: each data plane asks 32 at a time. */
    RESOLVE(512, 8 << 10),
    /** Watches of changes, one for each data plane. */
    WATCH(4_096, 8 << 10),
    /** Reports of trials of storage, with 10 steps and a reason each. */
    PROBE(32, 64 << 10),
    /** Register, Heartbeat and Leave: somewhat more than {@code HeartbeatQueue} keeps in its queue. */
    MEMBERSHIP(2_500, 8 << 10),
    /** Reports of used blocks: 16,384 blocks, in as many partitions at worst. */
    HEAT(8, 4 << 20),
    /**
     * Claims, and reports of copying and listing: 5,000 blocks of 64 bytes and their lengths, or a chunk's failures.
     */
    WARMING(64, 4 << 20),
    /** Calls in which data planes follow purges, claim deletions and report on them. */
    PURGE(512, 16 << 10),
    /** Routes: that many calls may be open, since they hold nothing. */
    ROUTE(20_000, 8 << 10),
    /** Health checks, which are counted apart. */
    OTHER(100, 1 << 10);

    private static final Map<String, CallKind> SERVICES = Map.of(
            "kvstore.control.v1.MembershipService", MEMBERSHIP,
            "kvstore.control.v1.WarmingService", WARMING,
            "kvstore.control.v1.PurgeService", PURGE,
            "kvstore.control.v1.RouteService", ROUTE);

    private static final Map<String, CallKind> METHODS = Map.of(
            "kvstore.control.v1.AccountService/Resolve", RESOLVE,
            "kvstore.control.v1.AccountService/Watch", WATCH,
            "kvstore.control.v1.AccountService/ReportProbe", PROBE,
            "kvstore.control.v1.WarmingService/ReportHeat", HEAT);

    /** The largest message that a call of any kind may bring. */
    static final int MOST_BYTES = 4 << 20;

    /** The time from the headers of a call to the end of its request. */
    static final Duration REQUEST = Duration.ofSeconds(10);

    private static final Duration LONG_REQUEST = Duration.ofSeconds(30);

    private final int open;
    private final int bytes;

    CallKind(int open, int bytes) {
        this.open = open;
        this.bytes = bytes;
    }

    /** The most calls at a time. */
    int open() {
        return open;
    }

    /** The most bytes that a call sends in all, with the five bytes of its frame. */
    int bytes() {
        return bytes;
    }

    /** The most bytes of a call of this kind, and the time for them: longer messages need longer on a slow link. */
    BriefCall.CallBounds bounds() {
        return new BriefCall.CallBounds(bytes, bytes == MOST_BYTES ? LONG_REQUEST : REQUEST, false);
    }

    /** @param method such as {@code kvstore.control.v1.AccountService/Resolve} */
    static CallKind of(String method) {
        CallKind kind = METHODS.get(method);
        int end = method.lastIndexOf('/');
        return kind != null ? kind : SERVICES.getOrDefault(end < 0 ? method : method.substring(0, end), OTHER);
    }
}
