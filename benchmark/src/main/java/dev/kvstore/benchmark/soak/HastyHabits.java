package dev.kvstore.benchmark.soak;

import dev.kvstore.benchmark.soak.Habit.SoakTarget;
import dev.kvstore.benchmark.soak.Library.StoredPrompt;
import dev.kvstore.benchmark.soak.SoakCounts.SoakCount;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.CallOptions;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.protocol.block.Location;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;

/** Calls that are cancelled, and calls with deadlines too short for most of them. */
record HastyHabits(Library library, ReadHabits reads, SoakCounts findings) {
    private static final int MOST_WAIT_MICROS = 3_000;
    private static final int LEAST_DEADLINE_MICROS = 60;
    private static final int MOST_DEADLINE_MICROS = 5_000;

    /** Cancels an asynchronous lookup, read or stream soon after its beginning. */
    void cancelled(SoakTarget place, SplittableRandom random) throws InterruptedException {
        StoredPrompt stored = library.any(random).orElse(null);
        if (stored == null) {
            return;
        }
        int index = stored.acknowledged().iterator().next();
        Location location = stored.chain().location(index);
        switch (random.nextInt(3)) {
            case 0 -> cancel(place.client().async().lookup(stored.partition(), stored.chain()), random);
            case 1 -> {
                CompletableFuture<Block> block = place.client().async().readBlock(location);
                var checked =
                        block.thenAccept(found -> reads.check(stored.chain().hash(index), found));
                cancel(block, random);
                if (!block.isCompletedExceptionally()) {
                    checked.join();
                }
            }
            default ->
                new Unsubscribing(random.nextInt(stored.chain().size()))
                        .read(place.client().async().read(stored.locations(), CallOptions.DEFAULT));
        }
    }

    private void cancel(CompletableFuture<?> call, SplittableRandom random) throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(random.nextInt(MOST_WAIT_MICROS));
        call.cancel(true);
        try {
            call.join();
        } catch (CancellationException | CompletionException e) {
            if (e.getCause() instanceof KvStoreException failure && failure.code() != ErrorCode.CANCELLED) {
                throw failure;
            }
            findings.add(SoakCount.CANCELLED, 1);
        }
    }

    /** Reads and looks up with a deadline of 60 us to 5 ms. */
    void hurried(SoakTarget place, SplittableRandom random) {
        StoredPrompt stored = library.any(random).orElse(null);
        if (stored == null) {
            return;
        }
        CallOptions hurry = CallOptions.DEFAULT.withDeadline(
                Duration.ofNanos(1_000L * random.nextInt(LEAST_DEADLINE_MICROS, MOST_DEADLINE_MICROS)));
        List<Location> locations = stored.locations();
        try {
            switch (random.nextInt(3)) {
                case 0 -> {
                    var _ = place.client().lookup(stored.partition(), stored.chain(), hurry);
                }
                case 1 -> place.client().readBlock(locations.getFirst(), hurry).close();
                default -> {
                    try (BlockStream stream = place.client().read(locations, hurry)) {
                        for (BlockResult result : stream) {
                            close(result);
                        }
                    }
                }
            }
        } catch (KvStoreException e) {
            if (e.code() != ErrorCode.DEADLINE_EXCEEDED) {
                throw e;
            }
            findings.add(SoakCount.OVERDUE, 1);
        }
    }

    private void close(BlockResult result) {
        switch (result) {
            case BlockResult.Found(Block block) -> block.close();
            case BlockResult.Missing _ -> findings.denied(1, "a block that was acknowledged is not found in a hurry");
            case BlockResult.Failed failed -> throw failed.reason();
        }
    }

    /** Takes so many blocks, and no more. */
    private final class Unsubscribing implements Flow.Subscriber<BlockResult> {
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private int wanted;

        @SuppressWarnings("NullAway.Init")
        private Flow.Subscription subscription;

        Unsubscribing(int wanted) {
            this.wanted = wanted;
        }

        void read(Flow.Publisher<BlockResult> blocks) {
            blocks.subscribe(this);
            try {
                end.join();
            } catch (CompletionException e) {
                throw e.getCause() instanceof KvStoreException failure ? failure : e;
            }
        }

        @Override
        public void onSubscribe(Flow.Subscription opened) {
            subscription = opened;
            subscription.request(1);
        }

        @Override
        public void onNext(BlockResult result) {
            try {
                close(result);
            } catch (KvStoreException e) {
                end.completeExceptionally(e);
            }
            if (wanted-- > 0) {
                subscription.request(1);
            } else {
                subscription.cancel();
                findings.add(SoakCount.CANCELLED, 1);
                end.complete(null);
            }
        }

        @Override
        public void onError(Throwable failure) {
            end.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            end.complete(null);
        }
    }
}
