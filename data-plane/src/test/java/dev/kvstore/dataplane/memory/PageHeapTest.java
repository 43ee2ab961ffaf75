package dev.kvstore.dataplane.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PageHeapTest {
    /** Pages of a block of 1.2 MB with its header. */
    private static final int BLOCK = 294;

    private static final int CHUNK = PageHeap.CHUNK_BYTES / BlockMemory.PAGE_BYTES;

    private final PageHeap heap = new PageHeap(0);
    private final List<Span> taken = new ArrayList<>();

    @AfterEach
    void giveBackTheRest() {
        taken.forEach(heap::giveBack);
    }

    @Test
    void theFirstPagesOfAChunkBeginWhereAHugePageMay() {
        assertThat(address(take(1)) % HugePages.BYTES).isZero();
    }

    @Test
    void whatIsTakenInTurnLiesSideBySide() {
        long first = address(take(BLOCK));

        assertThat(address(take(BLOCK))).isEqualTo(first + BLOCK * BlockMemory.PAGE_BYTES);
        assertThat(address(take(3))).isEqualTo(first + 2 * BLOCK * BlockMemory.PAGE_BYTES);
    }

    @Test
    void fiftyFiveBlocksFillAChunk() {
        for (int i = 0; i < 55; i++) {
            take(BLOCK);
        }
        assertThat(heap.heldBytes()).isEqualTo(PageHeap.CHUNK_BYTES);

        take(BLOCK);
        assertThat(heap.heldBytes()).isEqualTo(2 * PageHeap.CHUNK_BYTES);
    }

    @Test
    void theShortestGapThatIsLongEnoughIsFilled() {
        Span ten = take(10);
        take(1);
        Span five = take(5);
        take(1);
        giveBack(ten);
        giveBack(five);

        assertThat(address(take(4))).isEqualTo(address(five));
        assertThat(address(take(4))).isEqualTo(address(ten));
    }

    @Test
    void neighboursThatWereGivenBackAreOneGap() {
        Span first = take(5);
        Span second = take(6);
        Span third = take(7);
        take(1);
        giveBack(first);
        giveBack(third);
        giveBack(second);

        assertThat(address(take(18))).isEqualTo(address(first));
    }

    @Test
    void whatIsLongerThanAChunkHasOneOfItsOwn() {
        Span span = take(CHUNK + 1);

        assertThat(span.memory().capacity()).isEqualTo(PageHeap.CHUNK_BYTES + BlockMemory.PAGE_BYTES);
        assertThat(heap.heldBytes()).isEqualTo(PageHeap.CHUNK_BYTES + HugePages.BYTES);
    }

    @Test
    void aChunkThatIsNotUsedGoesBackToTheSystem() {
        long before = MemoryChunk.takenBytes();
        Span span = take(BLOCK);
        assertThat(MemoryChunk.takenBytes()).isGreaterThan(before);

        giveBack(span);

        assertThat(heap.heldBytes()).isZero();
        assertThat(MemoryChunk.takenBytes()).isEqualTo(before);
    }

    @Test
    void someChunksThatAreNotUsedAreKept() {
        PageHeap sparing = new PageHeap(PageHeap.CHUNK_BYTES);
        List<Span> chunks = List.of(sparing.take(CHUNK), sparing.take(CHUNK), sparing.take(CHUNK));

        chunks.forEach(sparing::giveBack);

        assertThat(sparing.heldBytes()).isEqualTo(PageHeap.CHUNK_BYTES);
        assertThat(address(sparing.take(CHUNK))).isEqualTo(address(chunks.getFirst()));
        assertThat(sparing.heldBytes()).isEqualTo(PageHeap.CHUNK_BYTES);
    }

    @Test
    void gapsThatNothingFitsInHaveNoMoreMemoryThanIsAllowed() {
        heap.allow(100 * BlockMemory.PAGE_BYTES);
        Span first = take(50);
        Span between = take(1);
        Span second = take(49);
        for (Span span : List.of(first, between, second)) {
            span.memory().put(0, (byte) 7);
        }
        take(1);
        giveBack(first);
        giveBack(second);
        assertThat(heap.memoryBytes()).isEqualTo(101 * BlockMemory.PAGE_BYTES);

        take(60);

        assertThat(heap.memoryBytes()).isEqualTo(62 * BlockMemory.PAGE_BYTES);
        assertThat(between.memory().get(0)).isEqualTo((byte) 7);
        assumeThat(System.getProperty("os.name")).isEqualTo("Linux");
        assertThat(first.memory().get(0)).as("the kernel has taken the page").isZero();
        assertThat(second.memory().get(0)).as("the kernel has taken the page").isZero();
    }

    @Test
    void aGapWhoseMemoryWentBackHasMemoryAgainOnceItIsTaken() {
        Span first = take(50);
        take(1);
        giveBack(first);
        take(60);
        assertThat(heap.memoryBytes()).isEqualTo(61 * BlockMemory.PAGE_BYTES);

        take(50);

        assertThat(heap.memoryBytes()).isEqualTo(111 * BlockMemory.PAGE_BYTES);
    }

    @Test
    void gapsKeepTheirMemoryWithinWhatIsAllowed() {
        heap.allow(200 * BlockMemory.PAGE_BYTES);
        Span first = take(50);
        first.memory().put(0, (byte) 7);
        take(1);
        giveBack(first);

        take(60);

        assertThat(heap.memoryBytes()).isEqualTo(111 * BlockMemory.PAGE_BYTES);
        assertThat(first.memory().get(0)).isEqualTo((byte) 7);
    }

    @Test
    void aGapThatIsTakenInPartKeepsTheMemoryOfTheRest() {
        heap.allow(200 * BlockMemory.PAGE_BYTES);
        Span first = take(50);
        take(1);
        giveBack(first);

        Span part = take(10);
        assertThat(heap.memoryBytes()).isEqualTo(51 * BlockMemory.PAGE_BYTES);
        giveBack(part);
        assertThat(heap.memoryBytes()).isEqualTo(51 * BlockMemory.PAGE_BYTES);
    }

    @Test
    void pagesThatWereNeverTakenCountForNothing() {
        take(BLOCK);

        assertThat(heap.memoryBytes()).isEqualTo(BLOCK * BlockMemory.PAGE_BYTES);
    }

    @Test
    void thereAreNoSpansWithoutPages() {
        assertThatIllegalArgumentException().isThrownBy(() -> heap.take(0));
    }

    @Test
    void pagesAreGivenBackOnce() {
        Span span = take(1);
        giveBack(span);

        assertThatIllegalStateException().isThrownBy(() -> heap.giveBack(span));
    }

    private Span take(int pages) {
        Span span = heap.take(pages);
        taken.add(span);
        return span;
    }

    private void giveBack(Span span) {
        taken.remove(span);
        heap.giveBack(span);
    }

    private static long address(Span span) {
        return MemorySegment.ofBuffer(span.memory()).address();
    }
}
