package dev.kvstore.dataplane.server.settings;

import dev.kvstore.dataplane.storage.http.HttpProxy;
import dev.kvstore.settings.Described;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** Calls to the tenants' storage. */
public interface StorageSettings {
    // The most connections are as many as have a port each on one local address, with room for others.
    @WithDefault("100")
    @Described(
            least = "1",
            most = "10000",
            bounds = "Connections to one storage host (--transport netty).",
            reached = "Further requests wait, up to 10 s; then their calls get UNAVAILABLE.")
    int maxStorageConnections();

    // The default is for forty hosts at their most. Each connection takes a file, and some 30 KiB while it is unused.
    @WithDefault("4000")
    @Described(
            least = "1",
            most = "100000",
            bounds = "Connections to all storage hosts together (--transport netty). Half of the files that the process"
                    + " may open, if that is less; the log says so.",
            reached = "The connection unused longest is closed for a host that wants one; if all are in use, hosts with"
                    + " more than their share close theirs one after the other, and requests wait, up to 10 s.")
    int maxAllStorageConnections();

    @WithDefault("5m")
    @Described(
            least = "1s",
            most = "1d",
            bounds = "Time that the addresses of a storage host are used before they are looked up again (--transport"
                    + " netty).")
    Duration dnsTtl();

    @Described(
            type = "address",
            form = HttpProxy.SHAPE,
            bounds =
                    "HOST:PORT of an HTTP proxy through which calls to storage, key vaults and Microsoft Entra ID go (its"
                            + " method CONNECT), but for calls within this machine and to link-local addresses. Left out: none."
                            + " The variables HTTPS_PROXY and NO_PROXY are not read.",
            reached = "Calls get UNAVAILABLE while the proxy does not answer or refuses.")
    Optional<HttpProxy> storageProxy();

    // Beyond a minute every call has been given up.
    @Described(
            type = "times",
            form = StorageLatency.SHAPE,
            least = "get=0s,put=0s",
            most = "get=1m,put=1m",
            bounds = "For trials: time that is added to every storage call, get to calls that read, list or check, put"
                    + " to calls that write or delete, as in get=20ms,put=40ms. The log warns of it at the start.")
    Optional<StorageLatency> addedStorageLatency();

    @WithDefault("0ms")
    @Described(
            least = "0ms",
            most = "1m",
            bounds = "For trials: time that is added to every call to the storage of another region, besides"
                    + " added-storage-latency. kv up --regions sets it.")
    Duration addedRegionLatency();
}
