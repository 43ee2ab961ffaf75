package dev.kvstore.dataplane.server.settings;

import dev.kvstore.dataplane.account.control.ControlPlaneReplica;
import dev.kvstore.protocol.host.HostNames;
import dev.kvstore.settings.BadFlag;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of the cluster that a data plane joins. */
final class ClusterFlags {
    static final String CLUSTER = "--cluster";
    static final String ADVERTISE = "--advertise";
    static final String ADVERTISE_REMOTE = "--advertise-remote";

    /** Stands for the machine's name, so that all machines of a scale set can be told the same. */
    private static final String HOST_NAME = "{hostname}";

    @Option(
            names = CLUSTER,
            paramLabel = "NAME",
            description = "Join this cluster of the control plane, to be found by clients (default: join none).")
    @Nullable
    String cluster;

    @Option(
            names = ADVERTISE,
            paramLabel = "HOST:PORT",
            description =
                    "Address at which clients of the region and other data planes reach this one; {hostname} stands for this"
                            + " machine's name (default: --host and --port; on all addresses, the one that the control plane is"
                            + " reached from).")
    @Nullable
    String advertise;

    @Option(
            names = ADVERTISE_REMOTE,
            paramLabel = "HOST:PORT",
            description = "Address for clients of other regions (default: as --advertise).")
    @Nullable
    String advertiseRemote;

    private final MachineAddress machine;

    ClusterFlags(MachineAddress machine) {
        this.machine = machine;
    }

    /**
     * The settings these flags stand for, of a process that listens there.
     *
     * @param controlPlane its replicas; null if there is none
     */
    Map<String, String> settings(@Nullable String controlPlane, String host, InetAddress address, int port)
            throws BadFlag {
        Map<String, String> settings = new LinkedHashMap<>();
        if (cluster == null) {
            if (advertise != null || advertiseRemote != null) {
                throw new BadFlag((advertise != null ? ADVERTISE : ADVERTISE_REMOTE)
                        + ": is for the members of a cluster; add " + CLUSTER + " NAME");
            }
            return settings;
        }
        if (!cluster.matches("[a-z0-9-]{1,63}")) {
            throw new BadFlag(CLUSTER + ": must be 1 to 63 of a-z, 0-9 and -, not \"" + cluster + "\"");
        }
        if (controlPlane == null) {
            throw new BadFlag(
                    CLUSTER + ": clusters are the control plane's; add " + AccountsFlags.CONTROL_PLANE + " HOST:PORT");
        }
        settings.put("kvstore.cluster", cluster);
        settings.put(
                "kvstore.advertise",
                advertise == null
                        ? at(address.isAnyLocalAddress() ? towards(controlPlane, host, address) : host, port)
                        : checked(ADVERTISE, advertise));
        if (advertiseRemote != null) {
            settings.put("kvstore.advertise-remote", checked(ADVERTISE_REMOTE, advertiseRemote));
        }
        return settings;
    }

    private static String at(String host, int port) {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    private String towards(String controlPlane, String host, InetAddress listening) throws BadFlag {
        try {
            String own = machine.addressTowards(ControlPlaneReplica.all(controlPlane), listening)
                    .getHostAddress();
            int scope = own.indexOf('%');
            return scope < 0 ? own : own.substring(0, scope);
        } catch (IOException e) {
            throw new BadFlag(ADVERTISE + ": is missing, and the address of this machine towards "
                    + AccountsFlags.CONTROL_PLANE + " is not known (" + e.getMessage()
                    + "); nobody reaches this process"
                    + " at --host " + host + ": give the address that others reach it at, HOST:PORT");
        }
    }

    private String checked(String flag, String address) throws BadFlag {
        try {
            String whole = address.contains(HOST_NAME) ? address.replace(HOST_NAME, machine.hostName()) : address;
            if (ControlPlaneReplica.all(whole).size() == 1) {
                return whole;
            }
        } catch (UnknownHostException e) {
            throw new BadFlag(flag + ": this machine does not know its name: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            // The message below says so, in words that fit one address.
        }
        throw new BadFlag(flag + ": must be one HOST:PORT, not \"" + address + "\""
                + HostNames.hint(address.replace(HOST_NAME, "")));
    }
}
