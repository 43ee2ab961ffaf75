package dev.kvstore.dataplane.server.settings;

import dev.kvstore.dataplane.account.control.ControlPlaneReplica;
import dev.kvstore.settings.BadFlag;
import dev.kvstore.settings.FlagChecks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags for the source of accounts and keys: a file, or the control plane. */
public final class AccountsFlags {
    static final String ACCOUNTS = "--accounts";
    static final String CONTROL_PLANE = "--control-plane";
    public static final String AUTHORITY = "--control-plane-ca";
    static final String TOKEN_FILE = "--join-token-file";
    static final String REGION = "--region";

    @Option(
            names = ACCOUNTS,
            paramLabel = "FILE",
            description = "Tenants, keys and storage (JSON); or give --control-plane.")
    @Nullable
    Path accounts;

    @Option(
            names = CONTROL_PLANE,
            paramLabel = "HOST:PORT,...",
            description = "Replicas of the control plane, in place of --accounts.")
    @Nullable
    String replicas;

    @Option(
            names = AUTHORITY,
            paramLabel = "FILE",
            defaultValue = "${sys:kvstore.control-plane-ca:-${env:KVSTORE_CONTROL_PLANE_CA}}",
            description = "Authorities (PEM) of the control plane's certificate (default: the JDK's; on loopback none,"
                    + " and no TLS).")
    @Nullable
    Path authority;

    @Option(
            names = TOKEN_FILE,
            paramLabel = "FILE",
            description =
                    "Join token of this data plane's cluster, followed when it changes; none is needed with a --tls-cert"
                            + " that names cluster and node (default: the environment's KVSTORE_JOIN_TOKEN).")
    @Nullable
    Path tokenFile;

    @Option(names = REGION, paramLabel = "NAME", description = "Region of this data plane (default: not said).")
    @Nullable
    String region;

    /** The settings these flags stand for. */
    Map<String, String> settings() throws BadFlag {
        Map<String, String> settings = new LinkedHashMap<>();
        if (region != null) {
            if (!region.matches("[a-z0-9-]{1,63}")) {
                throw new BadFlag(REGION + ": must be 1 to 63 of a-z, 0-9 and -, not \"" + region + "\"");
            }
            settings.put("kvstore.region", region);
        }
        if (replicas == null) {
            settings.put("kvstore.accounts", file());
        } else {
            putControlPlane(settings, replicas);
        }
        return settings;
    }

    private String file() throws BadFlag {
        if (tokenFile != null) {
            throw new BadFlag(TOKEN_FILE + ": is for the control plane; add " + CONTROL_PLANE);
        }
        if (accounts == null) {
            throw new BadFlag(ACCOUNTS + ": is missing; give the tenants of this machine in a file, or those of a"
                    + " control plane with " + CONTROL_PLANE + " HOST:PORT");
        }
        FlagChecks.requireText(ACCOUNTS, accounts.toString());
        if (!Files.isReadable(accounts)) {
            throw new BadFlag(ACCOUNTS + ": " + accounts + " cannot be read");
        }
        return accounts.toString();
    }

    private void putControlPlane(Map<String, String> settings, String at) throws BadFlag {
        if (accounts != null) {
            throw new BadFlag(ACCOUNTS + ": contradicts " + CONTROL_PLANE + "; leave one of them out");
        }
        try {
            ControlPlaneReplica.all(at);
        } catch (IllegalArgumentException e) {
            throw new BadFlag(CONTROL_PLANE + ": " + e.getMessage());
        }
        settings.put("kvstore.control-plane", at);
        put(settings, "kvstore.control-plane-ca", AUTHORITY, authority);
        put(settings, "kvstore.join-token-file", TOKEN_FILE, tokenFile);
    }

    private static void put(Map<String, String> settings, String name, String flag, @Nullable Path file)
            throws BadFlag {
        if (file != null) {
            FlagChecks.requireText(flag, file.toString());
            settings.put(name, file.toString());
        }
    }
}
