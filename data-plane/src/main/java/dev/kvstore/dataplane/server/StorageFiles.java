package dev.kvstore.dataplane.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;

/** The files of this process that connections to storage may take. Stateless. */
final class StorageFiles {
    private static final System.Logger LOG = System.getLogger(StorageFiles.class.getName());

    private StorageFiles() {}

    /** The number of connections: as many as are wanted, but at most half of the files that this process may open. */
    static int connections(int wanted) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? connections(wanted, system.getMaxFileDescriptorCount())
                : wanted;
    }

    static int connections(int wanted, long files) {
        // The other half is for clients, the local disk and programs' own files.
        int most = Math.clamp(files / 2, 1, wanted);
        if (most < wanted) {
            LOG.log(
                    Level.WARNING,
                    "the process may open {0} files: it opens {1} connections to storage at most, not the {2} of"
                            + " max-all-storage-connections; raise the limit of open files",
                    Long.toString(files),
                    Integer.toString(most),
                    Integer.toString(wanted));
        }
        return most;
    }
}
