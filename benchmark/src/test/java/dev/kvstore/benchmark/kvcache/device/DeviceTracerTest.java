package dev.kvstore.benchmark.kvcache.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.kvstore.benchmark.kvcache.tier.OnDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** bpftrace as a process. */
@Tag("slow")
class DeviceTracerTest {
    private static final BlockDevice ALL = new BlockDevice(0, "all disks");

    @TempDir(factory = OnDisk.class)
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private String program(String text) throws IOException {
        Path script = Files.writeString(folder.resolve("program"), "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return script.toString();
    }

    @Test
    void tellsThatTheProgramIsMissing() {
        assertThatThrownBy(() -> DeviceTracer.start("no-such-bpftrace", ALL))
                .hasMessage("there is no bpftrace on the PATH; install it, 0.16 or newer");
    }

    @Test
    void tellsTheReasonOfAProgramThatEndsAtOnce() throws IOException {
        String refusing = program("echo 'ERROR: bpftrace currently only supports running as the root user.'; exit 1");

        assertThatThrownBy(() -> DeviceTracer.start(refusing, ALL))
                .hasMessageContaining("it needs root")
                .hasMessageEndingWith("It says: ERROR: bpftrace currently only supports running as the root user.");
    }

    @Test
    void losesNoFiguresInSilence() throws Exception {
        String dumb = program("echo '{\"type\": \"printf\", \"data\": \"watching\"}'; sleep 2");
        DeviceTracer tracer = DeviceTracer.start(dumb, ALL);

        assertThatThrownBy(tracer::end).hasMessageStartingWith("bpftrace saw no request of the disk");
    }

    @Test
    void seesTheWritesOfThisProcessOnTheDiskOfAFolder() throws Exception {
        assumeThat(canTrace())
                .as("missing: bpftrace, with root's rights and tracefs")
                .isTrue();
        BlockDevice device = BlockDevice.under(folder);
        assumeThat(device.number())
                .as("missing: a single disk below the folder")
                .isPositive();
        DeviceTracer tracer = DeviceTracer.start(device);

        try (FileChannel file =
                FileChannel.open(folder.resolve("file"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(1 << 20));
            file.force(true);
        }

        DeviceTrace trace = tracer.end();
        assertThat(trace.of("fsync_us")).isNotEmpty();
        assertThat(trace.of("d2c_write_us")).isNotEmpty();
    }

    private static boolean canTrace() throws InterruptedException {
        try (DeviceTracer tracer = DeviceTracer.start(ALL)) {
            return tracer != null;
        } catch (IOException e) {
            return false;
        }
    }
}
