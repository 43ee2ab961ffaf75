package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.assertj.core.api.Assertions;

/**
 * Network namespaces on one bridge, in place of a cluster's network: an address for each pod, and a hosts file in place
 * of its name server. For one thread.
 */
final class PodNetwork implements AutoCloseable {
    /** Addresses that pods have. */
    enum Family {
        IPV4,
        BOTH,
        IPV6
    }

    private final Family family;
    private final int number;
    private final Path folder;
    private final List<String> namespaces = new ArrayList<>();
    private final Map<String, List<String>> names = new TreeMap<>();
    private int last = 1;

    private PodNetwork(Family family, int number, Path folder) {
        this.family = family;
        this.number = number;
        this.folder = folder;
    }

    /** One on which this machine itself has an address, as {@code gateway}. */
    static PodNetwork create(Family family, Path folder, RandomGenerator random)
            throws IOException, InterruptedException {
        assumeTrue(GoTool.isOnPath("ip"), "missing: ip, of the package iproute2");
        PodNetwork network;
        String said;
        do {
            network = new PodNetwork(family, random.nextInt(1, 255), folder);
            said = network.ip("link add " + network.bridge() + " type bridge");
        } while (said.contains("File exists"));
        assumeTrue(said.isEmpty(), "missing: bridges in this kernel: " + said);
        network.addresses("", network.bridge(), 1);
        network.require("link set " + network.bridge() + " up");
        return network;
    }

    private String bridge() {
        return "kv" + number;
    }

    /** A pod's namespace, whose addresses have this name. */
    String pod(String name) throws IOException, InterruptedException {
        int host = ++last;
        String namespace = bridge() + "-" + name;
        String outside = bridge() + "p" + host;
        require("netns add " + namespace);
        namespaces.add(namespace);
        require("link add " + outside + " type veth peer name eth0 netns " + namespace);
        require("link set " + outside + " master " + bridge() + " up");
        require("-n " + namespace + " link set lo up");
        require("-n " + namespace + " link set eth0 up");
        addresses("-n " + namespace + " ", "eth0", host);
        names.put(name, addresses(host));
        return namespace;
    }

    private void addresses(String within, String device, int host) throws IOException, InterruptedException {
        for (String address : addresses(host)) {
            boolean six = address.contains(":");
            require(within + "address add " + address + (six ? "/64" : "/24") + " dev " + device
                    + (six ? " nodad" : ""));
        }
    }

    private List<String> addresses(int host) {
        String four = "198.18." + number + "." + host;
        String six = "fd6b:7673::" + Integer.toHexString(number) + ":" + Integer.toHexString(host);
        return switch (family) {
            case IPV4 -> List.of(four);
            case BOTH -> List.of(four, six);
            case IPV6 -> List.of(six);
        };
    }

    /** A pod's first address, or this machine's for {@code gateway}. */
    InetAddress address(String pod) throws IOException {
        return InetAddress.getByName(addressesOf(pod).getFirst());
    }

    private List<String> addressesOf(String pod) {
        return pod.equals("gateway") ? addresses(1) : names.getOrDefault(pod, List.of());
    }

    /**
     * The hosts file of a pod, as a kubelet writes it, with what a cluster's name server would answer besides.
     *
     * @param services pods, or {@code gateway}, by full names
     */
    Path hosts(Map<String, List<String>> services) throws IOException {
        StringBuilder text = new StringBuilder("127.0.0.1 localhost\n::1 localhost\n");
        services.forEach((name, pods) -> pods.forEach(pod -> {
            for (String address : addressesOf(pod)) {
                text.append(address).append(' ').append(name).append('\n');
            }
        }));
        return Files.writeString(folder.resolve("hosts"), text);
    }

    private void require(String arguments) throws IOException, InterruptedException {
        assertThat(ip(arguments)).as("ip " + arguments).isEmpty();
    }

    private String ip(String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments.split(" ")));
        return GoTool.run(folder, Map.of(), command);
    }

    /** The command that enters a pod's namespace, with the machine's files except its hosts. */
    static List<String> enter(String namespace, Path hosts) {
        return List.of(
                "nsenter",
                "--net=/run/netns/" + namespace,
                "unshare",
                "--mount",
                "bash",
                "-c",
                "mount --bind \"$1\" /etc/hosts; shift; exec \"$@\"",
                "enter",
                hosts.toString());
    }

    @Override
    public void close() {
        try {
            for (String namespace : namespaces) {
                ip("netns delete " + namespace);
            }
            ip("link delete " + bridge());
        } catch (IOException e) {
            Assertions.fail("the network is left behind", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
