package dev.kvstore.dataplane.server.settings;

import dev.kvstore.settings.DeclaredSettings;
import dev.kvstore.settings.Described;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The settings of an operator, as {@code -Dkvstore.memory-tier-size=4G} or {@code KVSTORE_MEMORY_TIER_SIZE=4G}. The
 * methods below are not {@link Described}: an operator sets them by flags, which {@link Flags} describes.
 */
@ConfigMapping(prefix = "kvstore")
public interface DataPlaneSettings extends MemorySettings, CallSettings, StorageSettings, ClusterSettings, TlsSettings {
    DeclaredSettings<DataPlaneSettings> DECLARED = new DeclaredSettings<>(DataPlaneSettings.class);

    /** The tenants of this machine, if a file names them; see {@code AccountsFile}. */
    Optional<Path> accounts();

    /** Replicas of the control plane, if it does; see {@code Replica}. */
    Optional<String> controlPlane();

    /** The file with the join token, if the environment does not have the token. */
    Optional<Path> joinTokenFile();

    /** The region of this data plane, as the control plane names it. */
    Optional<String> region();

    /** The cluster that is joined, if one is. */
    Optional<String> cluster();

    /** The address at which clients of the region and peers reach this process, host:port; given in a cluster. */
    Optional<String> advertise();

    /** The address at which clients of other regions reach this data plane, if it is another one. */
    Optional<String> advertiseRemote();

    /** The part of the host name of an Azure Storage account that follows the resource name. */
    @WithDefault(".blob.core.windows.net")
    String blobDnsSuffix();

    /** The NUMA node that this process was bound to, if it was. */
    OptionalInt numaNode();

    /** The HTTP client towards storage; see {@code Transport}. */
    @WithDefault("netty")
    String transport();

    /** The local addresses that connections to storage use in turn; see {@code LocalAddresses}. */
    Optional<String> localAddresses();

    /**
     * The name of this process among all that serve the same tenants. It stays the same after a restart; no two running
     * processes share one.
     */
    String nodeName();
}
