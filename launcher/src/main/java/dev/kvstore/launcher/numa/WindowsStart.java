package dev.kvstore.launcher.numa;

import java.util.List;

/**
 * The command of Windows that starts a program on a NUMA node.
 *
 * <p>With {@code /NODE}, the mask of {@code /AFFINITY} counts from the node's first CPU, whatever the machine's numbers
 * are. It has 64 bits, and a process starts in one processor group of at most 64 CPUs; Windows makes no node larger
 * than a group, so a node with more did not come from Windows and cannot be said.
 */
final class WindowsStart {
    private static final int GROUP = 64;

    private WindowsStart() {}

    /**
     * The words before the command. {@code /B} shares the console, {@code /WAIT} ends with the program's exit code. The
     * title has blanks, so that it is quoted: {@code start} takes the first quoted word for the title, even if that
     * word is the program.
     *
     * @throws IllegalArgumentException if the node's CPUs do not fit a mask
     */
    static List<String> prefix(NumaNode node) {
        String id = Integer.toString(node.id());
        String title = "kv node " + id;
        return List.of("cmd", "/c", "start", title, "/NODE", id, "/AFFINITY", mask(node), "/B", "/WAIT");
    }

    private static String mask(NumaNode node) {
        List<Integer> cpus = node.cpus().numbers();
        if (cpus.isEmpty() || cpus.getLast() - cpus.getFirst() >= GROUP) {
            throw new IllegalArgumentException("NUMA node %d: CPUs %s are not within one processor group of %d"
                    .formatted(node.id(), node.cpus(), GROUP));
        }
        long mask = 0;
        for (int cpu : cpus) {
            mask |= 1L << (cpu - cpus.getFirst());
        }
        return "0x" + Long.toHexString(mask);
    }
}
