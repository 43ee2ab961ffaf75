package dev.kvstore.dataplane.server;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** What an operator can set besides the flags, as {@code -Dkvstore.dram=4G} or {@code KVSTORE_DRAM=4G}. */
@ConfigMapping(prefix = "kvstore")
public interface Settings {
    /** The tenants of this machine, if a file names them; see {@code AccountsFile}. */
    Optional<Path> accounts();

    /** Replicas of the control plane, if it does; see {@code Replica}. */
    Optional<String> controlPlane();

    /** Authorities (PEM), one of which must have issued the control plane's certificate. */
    Optional<Path> controlPlaneCa();

    /** What holds the join token, if the environment does not. */
    Optional<Path> joinTokenFile();

    /** Where this data plane is, as the control plane calls it. */
    Optional<String> region();

    /** The cluster that is joined, if one is. */
    Optional<String> cluster();

    /** Where clients of the region and peers reach this process, host:port; given if a cluster is joined. */
    Optional<String> advertise();

    /** Where clients of other regions do, if not there. */
    Optional<String> advertiseRemote();

    /** Authorities (PEM), one of which must have issued the certificate of each peer; the JDK's if there are none. */
    Optional<Path> peerCa();

    /** Bytes a second that clients can be sent, 0 for what the network interfaces say. */
    @WithDefault("0")
    MemorySize bandwidth();

    /** How long new calls are still taken once it was said that they should go elsewhere. */
    @WithDefault("5s")
    Duration drainGrace();

    /** How long, after that, a process that stops waits for the calls it has. */
    @WithDefault("15s")
    Duration drainTime();

    /** The folder in which is kept what a restart should not lose. */
    Optional<Path> statePath();

    /** What follows a resource name in the host name of its Azure Storage account. */
    @WithDefault(".blob.core.windows.net")
    String blobDnsSuffix();

    /** The NUMA node that this process was bound to, if it was. */
    OptionalInt numaNode();

    /** The HTTP client towards storage; see {@code Transport}. */
    @WithDefault("netty")
    String transport();

    /** What connections to storage leave from in turn; see {@code LocalAddresses}. */
    Optional<String> localAddresses();

    /** Connections to one storage host; further requests wait. */
    @WithDefault("100")
    int storageConnections();

    /** How long the addresses of a storage host are used before they are looked up again. */
    @WithDefault("300s")
    Duration dnsTtl();

    /** For trials: how much longer calls to storage take than they would; see {@code StorageLatency}. */
    Optional<String> storageLatency();

    /** For trials: how much longer still calls to the storage of another region take. */
    @WithDefault("0ms")
    Duration regionLatency();

    /** Off-heap memory in which blocks are kept, 0 for none. */
    @WithDefault("1G")
    MemorySize dram();

    /** Local disk on which blocks are kept that leave memory, 0 for none. */
    @WithDefault("0")
    MemorySize disk();

    /** The folder for them, of this process alone. */
    Optional<Path> diskPath();

    /** Off-heap memory for blocks on their way in or out, beyond those kept. */
    @WithDefault("1G")
    MemorySize transfer();

    /** Network memory of messages that have arrived, or begun to, and are not yet done with; all clients together. */
    @WithDefault("512M")
    MemorySize inbound();

    /** Network memory of unary Read answers that clients have not taken yet; all clients together. */
    @WithDefault("256M")
    MemorySize unarySend();

    /** Calls that move blocks, served at a time; one more is refused. */
    @WithDefault("100")
    int operations();

    /** Lookups served at a time; one more is refused. */
    @WithDefault("1000")
    int lookups();

    /** Calls kept open, of each of both kinds, whose clients say or take nothing; beyond it the longest silent ends. */
    @WithDefault("2000")
    int silentCalls();

    /** Connections open at a time; one more is closed. */
    @WithDefault("1000")
    int connections();

    /** Blocks loaded ahead for one stream. */
    @WithDefault("128M")
    MemorySize streamPrefetch();

    /** How long a call waits for memory before it is told to come back. */
    @WithDefault("5s")
    Duration patience();

    /** How long a client may take nothing of what it asked for, or leave a block half sent. */
    @WithDefault("30s")
    Duration stall();

    /** Blocks remembered as stored, about 150 bytes of heap each. */
    @WithDefault("500000")
    long verifiedBlocks();

    /** Heap for filters of what is stored, beyond those of partitions that are being written. */
    @WithDefault("128M")
    MemorySize presence();

    /**
     * This process among all that serve the same tenants, and the same again after a restart; two that run must differ.
     */
    String nodeName();

    /** HTTP/2 window of a stream and of a connection: what a client may send before it is taken in. */
    @WithDefault("64M")
    MemorySize window();

    /** Calls that one connection may have open. */
    @WithDefault("200")
    int streamsPerConnection();

    /** How often an idle connection is asked whether it is alive. */
    @WithDefault("10s")
    Duration keepalive();

    /** Certificate of this process, then those that lead to an authority (PEM); none without TLS. */
    Optional<Path> tlsCert();

    /** Key of that certificate (PKCS#8 in PEM). */
    Optional<Path> tlsKey();

    /** Authorities (PEM), one of which must have issued the certificate of each gRPC client; none asks for no certificate. */
    Optional<Path> tlsClientCa();

    /** Oldest version of TLS that is spoken: 1.2 or 1.3. */
    @WithDefault("1.3")
    String tlsMinimum();

    /** How often the files of TLS are looked at. */
    @WithDefault("10s")
    Duration tlsReload();
}
