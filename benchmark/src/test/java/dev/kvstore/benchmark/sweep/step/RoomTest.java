package dev.kvstore.benchmark.sweep.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.measure.StoredPrompts;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoomTest {
    private static final int CLIENTS = 200;
    private static final int PROMPT_BLOCKS = 16;

    @ParameterizedTest
    @ValueSource(ints = {512, 1_200_000, 16 << 20})
    void hotBlocksFitMemory(int blockBytes) {
        StoredPrompts stock = stock(Data.HOT, blockBytes);

        assertThat(Data.HOT.room(stock, CLIENTS).dramBytes())
                .isGreaterThan((long) stock.blocks() * (blockBytes + 8192));
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 1_200_000, 16 << 20})
    void thoseOnDiskDoNotAndFitTheDisk(int blockBytes) {
        StoredPrompts stock = stock(Data.DISK, blockBytes);
        Data.Room room = Data.DISK.room(stock, CLIENTS);

        assertThat(room.dramBytes() * 3).isLessThan((long) stock.blocks() * (blockBytes + 8192));
        assertThat(room.diskBytes()).isGreaterThan((long) stock.blocks() * (blockBytes + 8192));
        // The largest block that the disk tier takes: three sixteenths of memory.
        assertThat(room.dramBytes() * 3 / 16).isGreaterThan(blockBytes + 8192);
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 1_200_000, 16 << 20})
    void coldOnesHaveNoMemoryToStayIn(int blockBytes) {
        Data.Room room = Data.COLD.room(stock(Data.COLD, blockBytes), CLIENTS);

        assertThat(room.dramBytes()).isZero();
        assertThat(room.diskBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 1_200_000})
    void everyClientFitsWithABlockUnderWay(int blockBytes) {
        Data.Room room = Data.HOT.room(stock(Data.HOT, blockBytes), CLIENTS);

        assertThat(room.transitBytes()).isGreaterThan((long) CLIENTS * (blockBytes + 8192));
        assertThat(room.calls()).isGreaterThan(CLIENTS);
    }

    private static StoredPrompts stock(Data data, int blockBytes) {
        return new StoredPrompts("room", data.blocks(blockBytes) / PROMPT_BLOCKS, PROMPT_BLOCKS, blockBytes);
    }
}
