package dev.kvstore.dataplane.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.tier.SomeBlocks;
import dev.kvstore.protocol.purge.StorageDigest;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A block that is being purged in one region must not come back from another. */
final class PurgeRulesTest {
    private final SomeBlocks some = new SomeBlocks();
    private final BlockKey key = some.key(1);
    private final PurgeRules rules = new PurgeRules(true);

    private PurgeRule rule(String id, long version, boolean running) {
        return new PurgeRule(
                id,
                version,
                Set.of(StorageDigest.of(key.storage().place())),
                key.root(),
                null,
                null,
                running,
                !running);
    }

    @Test
    void nothingIsCopiedThatAPurgeMeansWhileItIsUnderWay() throws Exception {
        rules.learn(List.of(rule("p", 1, true)), List.of(), true);

        assertThat(rules.isAnyRunning()).isTrue();
        assertThatThrownBy(() -> rules.copy(key, 1)).isInstanceOf(StorageException.class);
        rules.learn(List.of(rule("p", 2, false)), List.of(), true);

        assertThat(rules.isAnyRunning()).isFalse();
        rules.copy(key, 2).close();
    }

    @Test
    void whatWasReadBeforeAPurgeIsNotCopiedAfterIt() {
        rules.learn(List.of(rule("p", 1, true)), List.of(), true);
        rules.learn(List.of(rule("p", 2, false)), List.of(), true);

        assertThatThrownBy(() -> rules.copy(key, 0)).isInstanceOf(StorageException.class);
    }

    @Test
    void aCopyThatIsUnderWayIsSeenUntilItEnds() throws Exception {
        PurgeRules.Copying copying = rules.copy(key, 0);

        rules.learn(List.of(rule("p", 1, true)), List.of(), true);
        assertThat(rules.isAnyCopied()).isTrue();
        copying.close();

        assertThat(rules.isAnyCopied()).isFalse();
    }

    @Test
    void nothingIsCopiedUntilAllPurgesAreKnown() throws Exception {
        PurgeRules unknown = new PurgeRules(false);

        assertThatThrownBy(() -> unknown.copy(key, 0)).isInstanceOf(StorageException.class);
        unknown.learn(List.of(), List.of(), true);

        unknown.copy(key, 0).close();
    }

    @Test
    void aPurgeThatWasGivenUpForbidsNothing() throws Exception {
        rules.learn(List.of(rule("p", 1, true), rule("q", 2, true)), List.of(), true);

        rules.learn(List.of(), List.of("p", "q"), true);

        assertThat(rules.size()).isZero();
        rules.copy(key, 0).close();
    }
}
