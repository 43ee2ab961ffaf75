package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.control.Replica;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of the cluster that a data plane joins. */
final class ClusterFlags {
    static final String CLUSTER = "--cluster";
    static final String ADVERTISE = "--advertise";
    static final String ADVERTISE_REMOTE = "--advertise-remote";

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
                    "Where clients of the region and other data planes reach this one (default: --host and --port).")
    @Nullable
    String advertise;

    @Option(
            names = ADVERTISE_REMOTE,
            paramLabel = "HOST:PORT",
            description = "Where clients of other regions do (default: there too).")
    @Nullable
    String advertiseRemote;

    /** The settings these flags stand for, of a process that listens there. */
    Map<String, String> settings(boolean hasControlPlane, String host, InetAddress address, int port)
            throws Flags.BadFlag {
        Map<String, String> settings = new LinkedHashMap<>();
        if (cluster == null) {
            if (advertise != null || advertiseRemote != null) {
                throw new Flags.BadFlag((advertise != null ? ADVERTISE : ADVERTISE_REMOTE)
                        + ": is for the members of a cluster; add " + CLUSTER + " NAME");
            }
            return settings;
        }
        if (!cluster.matches("[a-z0-9-]{1,63}")) {
            throw new Flags.BadFlag(CLUSTER + ": must be 1 to 63 of a-z, 0-9 and -, not \"" + cluster + "\"");
        }
        if (!hasControlPlane) {
            throw new Flags.BadFlag(
                    CLUSTER + ": clusters are the control plane's; add " + AccountsFlags.CONTROL_PLANE + " HOST:PORT");
        }
        settings.put("kvstore.cluster", cluster);
        settings.put("kvstore.advertise", checked(ADVERTISE, advertise == null ? own(host, address, port) : advertise));
        if (advertiseRemote != null) {
            settings.put("kvstore.advertise-remote", checked(ADVERTISE_REMOTE, advertiseRemote));
        }
        return settings;
    }

    private static String own(String host, InetAddress address, int port) throws Flags.BadFlag {
        if (address.isAnyLocalAddress()) {
            throw new Flags.BadFlag(ADVERTISE + ": is missing; nobody reaches this process at --host " + host
                    + ": give the address that others reach it at, HOST:PORT, or listen on that alone with --host");
        }
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    private static String checked(String flag, String address) throws Flags.BadFlag {
        try {
            if (Replica.all(address).size() == 1) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            // Said below, in words that fit one address.
        }
        throw new Flags.BadFlag(flag + ": must be one HOST:PORT, not \"" + address + "\"");
    }
}
