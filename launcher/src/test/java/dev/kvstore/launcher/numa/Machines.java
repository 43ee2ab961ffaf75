package dev.kvstore.launcher.numa;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;

/** Recorded machines. */
final class Machines {
    static final long GIB = 1L << 30;

    private Machines() {}

    /** A machine, named as its folder of resources is. */
    static Machine recorded(String name) {
        try {
            Path root = Path.of(Objects.requireNonNull(Machines.class.getResource("machines/" + name))
                    .toURI());
            return new Machine(root, 1024 * GIB);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
