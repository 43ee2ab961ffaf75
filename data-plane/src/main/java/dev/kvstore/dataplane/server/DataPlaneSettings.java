package dev.kvstore.dataplane.server;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What an operator can set, as {@code -Dkvstore.memory-tier-size=4G} or {@code KVSTORE_MEMORY_TIER_SIZE=4G}. Those without
 * a description are set by flags; see {@link Flags}.
 */
@ConfigMapping(prefix = "kvstore")
public interface DataPlaneSettings extends MemorySettings, CallSettings, StorageSettings, ClusterSettings, TlsSettings {
    /** The tenants of this machine, if a file names them; see {@code AccountsFile}. */
    Optional<Path> accounts();

    /** Replicas of the control plane, if it does; see {@code Replica}. */
    Optional<String> controlPlane();

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

    /**
     * This process among all that serve the same tenants, and the same again after a restart; two that run must differ.
     */
    String nodeName();
}
