package dev.kvstore.dataplane.server.settings;

import dev.kvstore.settings.Described;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.Optional;

/** The control plane and the other data planes of a cluster. */
public interface ClusterSettings {
    @Described(
            unset = "the JDK's authorities",
            bounds = "Authorities (PEM), one of which must have issued the control plane's certificate."
                    + " --control-plane-ca wins over it.")
    Optional<Path> controlPlaneCa();

    @Described(
            unset = "the JDK's authorities",
            bounds = "Authorities (PEM), one of which must have issued the certificate of each other data plane of the"
                    + " cluster; read once, at the start.")
    Optional<Path> peerCa();

    @WithDefault("0")
    @Described(
            least = "0",
            most = "1P",
            bounds = "Bytes a second that this process can send its clients, for routing; 0 takes the speed of the"
                    + " machine's fastest network interface, or 10 Gbit/s where none is known. Give it where"
                    + " processes share an interface.",
            reached = "Routes prefer processes that have bandwidth left; nothing is refused.")
    MemorySize networkBandwidth();

    @Described(
            bounds = "Absolute path of the folder that keeps answers of the control plane over restarts, made if it is"
                    + " missing. Data planes of one machine may share it.")
    Optional<Path> statePath();
}
