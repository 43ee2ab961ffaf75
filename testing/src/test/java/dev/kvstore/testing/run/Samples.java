package dev.kvstore.testing.run;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test classes that only the tests of the runner run: their names end neither in Test nor in IT. */
final class Samples {
    private Samples() {}

    /** Two tests that pass. */
    static class Passing {
        @Test
        void one() {
            System.out.println("one was here");
        }

        @Test
        void two() {}
    }

    /** A test that fails, and one that does not. */
    static class Failing {
        @Test
        void fails() {
            Assertions.fail("the sample's reason");
        }

        @Test
        void passes() {}
    }

    /** A test that ends its JVM. */
    static class Halting {
        @Test
        void halts() {
            Runtime.getRuntime().halt(77);
        }
    }

    /** A test that leaves a thread behind, and fails with an error that JUnit does not keep to itself. */
    static class OutOfMemory {
        @Test
        void failsAndLeavesAThread() {
            Thread.ofPlatform().start(() -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            throw new OutOfMemoryError("the sample's");
        }
    }

    /** A test that waits for ever. */
    static class Hanging {
        @Test
        void hangsHere() throws InterruptedException {
            Thread.startVirtualThread(Hanging::waitsHere).join();
        }

        private static void waitsHere() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A test that says what it misses. */
    static class SkippedWithReason {
        @Test
        void skips() {
            Assumptions.assumeTrue(false, "no browser is installed");
        }
    }

    /** A test that is skipped and does not say why. */
    static class SkippedInSilence {
        @Test
        void skips() {
            Assumptions.assumeTrue(false);
        }
    }

    /** A test of each lane. */
    static class Tagged {
        @Test
        void always() {}

        @Test
        @Tag("slow")
        void slow() {}

        @Test
        @Tag("full")
        void full() {}
    }
}
