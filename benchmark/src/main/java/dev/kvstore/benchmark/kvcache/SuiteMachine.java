package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.device.BlockDevice;
import dev.kvstore.benchmark.peers.ProgramRun;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The machine that the suite wrapper is sized by.
 *
 * @param memoryGib free memory
 * @param gpu the name of its first NVIDIA GPU; empty if it has none
 * @param gpuGib the memory of that GPU; if there is none, {@link #NO_GPU_GIB} for the simulated one
 */
record SuiteMachine(double memoryGib, String gpu, double gpuGib) {
    /** The original's usual memory of a GPU. */
    static final double NO_GPU_GIB = 16;

    private static final Path MOUNTS = Path.of("/proc/mounts");
    private static final List<String> GPUS =
            List.of("nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader,nounits");
    private static final Pattern GPU = Pattern.compile("(.+), ([0-9]+)");
    private static final double MEBIBYTES = 1_024;

    static SuiteMachine current() {
        double memoryGib = FlagCheck.availableBytes() / KvCacheFlags.GIBIBYTE;
        try {
            return of(memoryGib, ProgramRun.of(GPUS).output());
        } catch (LaunchException e) {
            return of(memoryGib, ""); // No driver is installed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return of(memoryGib, "");
        }
    }

    /** @param gpus a line for each GPU: its name, and its memory in MiB */
    static SuiteMachine of(double memoryGib, String gpus) {
        Matcher first = GPU.matcher(gpus.lines().findFirst().orElse(""));
        return first.matches()
                ? new SuiteMachine(memoryGib, first.group(1), Double.parseDouble(first.group(2)) / MEBIBYTES)
                : new SuiteMachine(memoryGib, "", NO_GPU_GIB);
    }

    /** For people. */
    String sentence() {
        return "%s; the tier gpu-sim simulates %.1f GiB of GPU memory; %.1f GiB of memory are free"
                .formatted(gpu.isEmpty() ? "no NVIDIA GPU was found" : "the GPU is an " + gpu, gpuGib, memoryGib);
    }

    /**
     * The folder where files can be made on the fastest kind of disk: NVMe before other flash before all others, and of
     * equal ones that with the most room.
     *
     * @param usual this one if there is none better
     */
    static Path fastestFolder(Path usual) {
        List<Path> folders = new ArrayList<>(List.of(usual));
        try {
            for (String line : Files.isReadable(MOUNTS) ? Files.readAllLines(MOUNTS) : List.<String>of()) {
                String[] words = line.split(" ", 3);
                // The kernel writes a blank in a name as \\040.
                Path folder = Path.of(words[1].replace("\\040", " "));
                boolean takesFiles = words[0].startsWith("/dev/")
                        && folder.getParent() != null
                        && Files.isDirectory(folder)
                        && Files.isWritable(folder);
                if (takesFiles && !FlagCheck.isOfSystem(folder)) {
                    folders.add(folder);
                }
            }
            return folders.stream()
                    .max(Comparator.comparingInt(SuiteMachine::speed).thenComparingLong(SuiteMachine::room))
                    .orElse(usual);
        } catch (IOException | UncheckedIOException e) {
            return usual;
        }
    }

    private static int speed(Path folder) {
        try {
            // Memory that is a folder knows no O_DIRECT.
            boolean memory = Files.getFileStore(folder).type().equals("tmpfs");
            return memory ? -1 : BlockDevice.under(folder).speed();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long room(Path folder) {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
