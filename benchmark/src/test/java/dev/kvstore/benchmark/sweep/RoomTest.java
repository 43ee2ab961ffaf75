package dev.kvstore.benchmark.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoomTest {
    private static final int CLIENTS = 200;
    private static final int PROMPT_BLOCKS = 16;

    @ParameterizedTest
    @ValueSource(ints = {512, 1_200_000, 16 << 20})
    void hotBlocksFitMemory(int blockBytes) {
        SweepStock stock = stock(Data.HOT, blockBytes);

        assertThat(Room.of(Data.HOT, stock, CLIENTS).dramBytes())
                .isGreaterThan((long) stock.blocks() * (blockBytes + 8192));
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 1_200_000, 16 << 20})
    void thoseOnDiskDoNotAndFitTheDisk(int blockBytes) {
        SweepStock stock = stock(Data.DISK, blockBytes);
        Room room = Room.of(Data.DISK, stock, CLIENTS);

        assertThat(room.dramBytes() * 3).isLessThan((long) stock.blocks() * (blockBytes + 8192));
        assertThat(room.diskBytes()).isGreaterThan((long) stock.blocks() * (blockBytes + 8192));
        // The largest block that the disk tier takes: three sixteenths of memory.
        assertThat(room.dramBytes() * 3 / 16).isGreaterThan(blockBytes + 8192);
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 1_200_000, 16 << 20})
    void coldOnesHaveNoMemoryToStayIn(int blockBytes) {
        Room room = Room.of(Data.COLD, stock(Data.COLD, blockBytes), CLIENTS);

        assertThat(room.dramBytes()).isZero();
        assertThat(room.diskBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 1_200_000})
    void everyClientFitsWithABlockUnderWay(int blockBytes) {
        Room room = Room.of(Data.HOT, stock(Data.HOT, blockBytes), CLIENTS);

        assertThat(room.transitBytes()).isGreaterThan((long) CLIENTS * (blockBytes + 8192));
        assertThat(room.calls()).isGreaterThan(CLIENTS);
    }

    private static SweepStock stock(Data data, int blockBytes) {
        return new SweepStock("room", Room.blocks(data, blockBytes) / PROMPT_BLOCKS, PROMPT_BLOCKS, blockBytes);
    }
}
