package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.device.BlockDevice;
import dev.kvstore.benchmark.kvcache.device.DeviceTracer;
import dev.kvstore.benchmark.kvcache.replay.ValidationTrace;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of what a run is compared with, and of what is watched beside it. */
final class ObservationFlags {
    static final String DEVICE = "--enable-latency-tracing";
    static final String VALIDATION = "--validation-trace";

    @Option(
            names = DEVICE,
            description = "Watch the disk below --cache-dir with bpftrace: times in its queue and at work, sizes and"
                    + " places of requests. Needs Linux and root.")
    boolean device;

    @Option(
            names = VALIDATION,
            paramLabel = "FILE",
            description =
                    "Requests of a real system, a JSON list, to compare hit rate, ratio of bytes and answers with.")
    @Nullable
    Path validation;

    /** @throws IllegalArgumentException for a flag that cannot be, which it names */
    void check(TierFlags tiers, boolean traces) {
        if (validation != null) {
            ValidationTrace.read(validation);
        }
        if (!device) {
            return;
        }
        if (traces || !tiers.has(TierName.DISK)) {
            throw new IllegalArgumentException(
                    DEVICE + ": there is no disk to watch; name disk in --tiers, without" + " --io-trace-log");
        }
        try {
            tracer(tiers).close();
        } catch (IOException | UnsupportedOperationException e) {
            throw new IllegalArgumentException(DEVICE + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalArgumentException(DEVICE + ": was interrupted", e);
        }
    }

    /** Begins to watch the disk. */
    DeviceTracer tracer(TierFlags tiers) throws IOException, InterruptedException {
        return DeviceTracer.start(BlockDevice.under(tiers.folder()));
    }
}
