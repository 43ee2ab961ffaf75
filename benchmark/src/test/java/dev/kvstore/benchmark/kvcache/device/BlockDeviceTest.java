package dev.kvstore.benchmark.kvcache.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks as Linux describes them below /sys. */
class BlockDeviceTest {
    // 259:1 as stat tells it: the major number in bits 8 to 19.
    private static final long STAT_259_1 = (259 << 8) | 1;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path system;

    private Path disk(String name, String numbers) throws IOException {
        Path disk = Files.createDirectories(system.resolve("devices").resolve(name));
        Files.writeString(disk.resolve("dev"), numbers + "\n");
        Files.createDirectories(disk.resolve("slaves"));
        return disk;
    }

    private void named(String numbers, Path described) throws IOException {
        Path names = Files.createDirectories(system.resolve("block"));
        Files.createSymbolicLink(names.resolve(numbers), described);
    }

    private BlockDevice of(long dev) throws IOException {
        return BlockDevice.of(dev, system.resolve("block"));
    }

    @Test
    void aWholeDiskIsItself() throws IOException {
        named("259:1", disk("nvme1n1", "259:1"));

        assertThat(of(STAT_259_1)).isEqualTo(new BlockDevice((259L << 20) | 1, "disk nvme1n1"));
    }

    @Test
    void aPartitionBelongsToItsDisk() throws IOException {
        Path disk = disk("nvme1n1", "259:0");
        Path partition = disk("nvme1n1/nvme1n1p1", "259:1");
        Files.writeString(partition.resolve("partition"), "1\n");
        named("259:1", partition);

        assertThat(of(STAT_259_1)).isEqualTo(new BlockDevice(259L << 20, "disk " + disk.getFileName()));
    }

    @Test
    void aMinorNumberAbove255IsReadWhole() throws IOException {
        named("8:300", disk("sdz", "8:300"));

        assertThat(of(((300 & ~0xff) << 12) | (8 << 8) | (300 & 0xff)).number()).isEqualTo((8L << 20) | 300);
    }

    @Test
    void theDiskIsDescribedWithoutTheFoldersName() throws IOException {
        assertThat(BlockDevice.describe(system))
                .matches("[a-z0-9]+( on disk .+)?, [0-9.]+ of [0-9.]+ GiB free")
                .doesNotContain(system.toString());
    }

    @Test
    void aStackedDiskHasNoSingleNumber() throws IOException {
        Path disk = disk("md0", "259:1");
        Files.createDirectories(disk.resolve("slaves/sda"));
        named("259:1", disk);

        assertThat(of(STAT_259_1)).isEqualTo(new BlockDevice(0, "all disks: md0 is made of several"));
    }

    @Test
    void aFolderOnANetworkHasNone() throws IOException {
        assertThat(of(45).number()).isZero();
        assertThat(of(45).description()).contains("on a network");
    }

    @Test
    void aDiskThatIsNotDescribedHasNone() throws IOException {
        assertThat(of(STAT_259_1).description()).contains("does not describe device 259:1");
    }
}
