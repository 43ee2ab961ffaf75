package dev.kvstore.doctor.finding;

import java.util.Locale;

/** Everything that the doctor can find, each with the way out. {@code docs/operations/doctor.md} explains each. */
public enum FindingKind {
    // Addresses and ports
    ADDRESS_MALFORMED("write it as host:port, such as 127.0.0.1:8085 or [::1]:8085"),
    HOST_UNKNOWN("correct the name, or have the DNS of this machine know it"),
    UNREACHABLE("start the process, correct host and port, or open the way: --host, firewall, network policy"),
    WRONG_PORT("name the gRPC port: 8085 of a data plane, 9090 of a control plane, if no other was chosen"),
    NO_ANSWER("look into the log of the process; give --deadline more time if it is only slow"),

    // TLS
    PLAINTEXT_PORT("start the process with --tls-cert; or, on a network that is yours alone, give --plaintext"),
    TLS_PORT("give --ca (an engine: KV_CA_FILE) the authority of the server's certificate"),
    CERTIFICATE_UNTRUSTED("give --ca (an engine: KV_CA_FILE) the authority that issued it"),
    CERTIFICATE_NAME("use a name of its subjectAltName, or have it issued for this one"),
    CERTIFICATE_EXPIRED("have it renewed; the process puts the new files to use by itself"),
    CERTIFICATE_ENDS_SOON("find out why it was not renewed yet"),
    CERTIFICATE_NOT_YET_VALID("correct the clock of this machine, or of the machine that issued it"),
    CLIENT_CERTIFICATE_NEEDED("give the client a certificate of an authority in the server's --tls-client-ca"),
    AUTHORITY_FILE("name a file with the authorities' certificates in PEM"),
    CLOCK_DIFFERS("have both machines follow a time server (chrony, systemd-timesyncd)"),

    // Keys and names
    KEY_FILE("name a file that this user may read, with the API key and nothing else"),
    KEY_MALFORMED("give the key as it was made: kv_, an id, _ and the secret, without quotes or spaces"),
    KEY_REFUSED("give a key that is good here; kv admin create key makes one"),
    KEY_REVOKED("have kv admin create key make another one"),
    KEY_EXPIRED("have kv admin create key or rotate key make another one"),
    RESOURCE_REFUSED("correct the resource's name, or grant it to the key's tenant: kv admin put grant"),
    REGION_UNKNOWN("give a name that kv admin get regions lists, or none for the account's home"),
    TOKEN_REFUSED("give --token-file the token of an admin of this control plane"),

    // Data planes
    SERVICE_FAILS("do what the message says; the log of the data plane has the cause"),
    NOT_READY("look into the log of the data plane"),
    DRAINING("undo the drain (kv node drain --undo, kv admin set process), or wait until it has stopped"),
    MEMORY_EXHAUSTED("raise KVSTORE_TRANSFER_MEMORY, or add a data plane"),
    STORAGE_FAILING(
            "the data plane's log names the account; see its rights and container in docs/operations/alerts.md"),
    DISK_TIER_BROKEN("repair or replace the disk, or its rights, and restart the data plane"),
    CONTROL_PLANE_UNHEARD("check --control-plane, its CA and the join token of the data plane"),
    NOT_IN_CLUSTER("check --cluster, --region and the join token of the data plane"),
    VERSIONS_DIFFER("finish the upgrade: docs/operations/upgrades.md says in which order"),

    // The fleet
    CLUSTER_EMPTY("start data planes with --cluster and this name, or drain or delete the cluster"),
    DATA_PLANE_LOST("start it again, or delete it with kv admin delete process"),
    STORAGE_UNPROVEN("kv admin probe says which step fails, and the right that it needs"),
    PARTITION_UNSHARED("compare the engines' partitions, which their logs name at the start: docs/engines/vllm.md"),

    // Variables and settings
    VARIABLE_UNKNOWN("correct its name, or take it away"),
    VARIABLE_MISSING("set it in the environment of the engine"),
    VARIABLES_CONFLICT("keep one of the two"),
    SALT_DIFFERS("give all engines that shall share blocks the same KV_SALT_KEY"),
    SETTING_UNKNOWN("correct its name (kv help settings lists all), or take it away"),
    SETTING_RENAMED("use the new name"),
    STATE_PATH_MISSING("set KVSTORE_STATE_PATH to a folder that outlives the process"),
    STATE_PATH_UNUSABLE("make it a folder that the process may write"),

    // The machine
    PROCESS_GONE("name the process id of a data plane that runs on this machine"),
    MEMORY_LIMIT("raise the container's limit, or lower KVSTORE_MEMORY_TIER_SIZE or -Xmx"),
    MEMORY_KILLED("raise the container's limit, or lower KVSTORE_MEMORY_TIER_SIZE or -Xmx"),
    OPEN_FILES("raise the limit: LimitNOFILE of systemd, ulimit -n, or the container engine's default"),
    HUGE_PAGES_OFF("write madvise into /sys/kernel/mm/transparent_hugepage/enabled"),
    NUMA_UNBOUND("start one data plane per node: kv node up, or kv node --numa-node"),
    NUMA_MISMATCH(
            "let kv node up or kv node --numa-node bind it, and nothing else: cpuset, taskset, static CPU manager");

    private final String wayOut;

    FindingKind(String wayOut) {
        this.wayOut = wayOut;
    }

    /** The name for people and programs, such as {@code certificate-expired}. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The way out, for people. */
    public String wayOut() {
        return wayOut;
    }
}
