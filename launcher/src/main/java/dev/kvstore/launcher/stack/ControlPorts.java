package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.process.Ports;
import java.util.random.RandomGenerator;

/**
 * The ports of a stack's control plane.
 *
 * @param rest 0 for a free port
 * @param grpc 0 for a free port
 */
public record ControlPorts(int rest, int grpc) {
    /** The REST port of {@code kv up} by default. */
    public static final int DEFAULT_REST = 8080;

    /** The gRPC port of {@code kv up} by default. */
    public static final int DEFAULT_GRPC = 9090;

    /** Free ports. */
    public static final ControlPorts FREE = new ControlPorts(0, 0);

    private static final int HIGHEST = 65_535;

    /**
     * @throws IllegalArgumentException if a port is out of its range, or both are the same
     */
    public ControlPorts {
        require("--rest-port", rest);
        require("--control-port", grpc);
        if (rest == grpc && rest != 0) {
            throw new IllegalArgumentException("--control-port: must differ from --rest-port");
        }
    }

    private static void require(String flag, int port) {
        if (port < 0 || port > HIGHEST) {
            throw new IllegalArgumentException(flag + ": must be 0 to " + HIGHEST + ", not " + port);
        }
    }

    /** These ports, with a free port in place of each 0. */
    ControlPorts chosen(RandomGenerator random) {
        int free = rest == 0 || grpc == 0 ? Ports.free(random, 2, 0) : 0;
        return new ControlPorts(rest == 0 ? free : rest, grpc == 0 ? free + 1 : grpc);
    }
}
