package dev.kvstore.dataplane.server.settings;

import dev.kvstore.dataplane.account.control.ControlPlaneReplica;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

/** The name and the address by which others find this machine. Thread-safe. */
interface MachineAddress {
    /** The machine this process runs on. */
    MachineAddress THIS = new MachineAddress() {
        @Override
        public String hostName() throws UnknownHostException {
            String name = InetAddress.getLocalHost().getHostName();
            int domain = name.indexOf('.');
            return domain < 0 ? name : name.substring(0, domain);
        }

        @Override
        public InetAddress addressTowards(List<ControlPlaneReplica> replicas, InetAddress listening)
                throws IOException {
            ControlPlaneReplica first = replicas.getFirst();
            InetAddress far = Stream.of(InetAddress.getAllByName(first.host()))
                    .filter(one -> listening instanceof Inet6Address || one instanceof Inet4Address)
                    .findFirst()
                    .orElseThrow(() -> new IOException(first.host() + " has no IPv4 address"));
            // To connect a datagram socket asks the system for a route and sends nothing.
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.connect(new InetSocketAddress(far, first.port()));
                InetAddress own = socket.getLocalAddress();
                if (own.isAnyLocalAddress()) {
                    throw new IOException("there is no route to " + first.host());
                }
                return own;
            }
        }
    };

    /** The machine's name, without its domain. */
    String hostName() throws UnknownHostException;

    /**
     * The address that the control plane's first replica sees it at, if nothing in between changes that.
     *
     * @param listening a wildcard address: on that of IPv4 nobody is reached over IPv6
     */
    InetAddress addressTowards(List<ControlPlaneReplica> replicas, InetAddress listening) throws IOException;
}
