package dev.kvstore.endtoend;

import static dev.kvstore.endtoend.Neighbours.BLOCKS;
import static dev.kvstore.endtoend.Neighbours.GUESTS;
import static dev.kvstore.endtoend.Neighbours.PRIVATE;
import static dev.kvstore.endtoend.Neighbours.SHARED;
import static dev.kvstore.endtoend.Neighbours.STORED;

import dev.kvstore.protocol.block.Location;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** Makes up what a guest, or a stranger, may try. For one thread. */
final class Attempts {
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final List<BlockOperation> ALL = List.of(BlockOperation.values());
    private static final List<BlockOperation> WRITING = of(BlockOperation::writes);
    private static final List<BlockOperation> READING = of(operation -> !operation.writes());
    private static final List<BlockOperation> LOCATING = of(operation -> !operation.writes() && !operation.looksUp());

    private final Neighbours neighbours;
    private final List<String> deadKeys;
    private final RandomGenerator random;

    /**
     * @param deadKeys that were good once
     */
    Attempts(Neighbours neighbours, List<String> deadKeys, RandomGenerator random) {
        this.neighbours = neighbours;
        this.deadKeys = List.copyOf(deadKeys);
        this.random = random;
    }

    private static List<BlockOperation> of(Predicate<BlockOperation> wanted) {
        return ALL.stream().filter(wanted).toList();
    }

    ForbiddenAttempt next() {
        ForbiddenAttempt.ForbiddenReason kind = any(Arrays.asList(ForbiddenAttempt.ForbiddenReason.values()));
        boolean real = random.nextBoolean();
        return switch (kind) {
            case NO_KEY ->
                new ForbiddenAttempt(
                        kind,
                        real,
                        any(ALL),
                        badCredential(),
                        real ? existing() : madeUp(any(List.of(SHARED, PRIVATE, guess()))));
            case OTHERS_ACCOUNT -> othersAccount(real);
            case OTHERS_PARTITION ->
                guest(
                        kind,
                        real,
                        any(ALL),
                        real ? BlockTarget.of(SHARED, neighbours.withheld, block()) : madeUp(SHARED));
            case READ_ONLY ->
                guest(
                        kind,
                        real,
                        any(WRITING),
                        BlockTarget.of(SHARED, neighbours.granted, real ? random.nextInt(STORED) : BLOCKS - 1));
            case OTHERS_BLOCK -> guest(kind, real, any(READING), real ? elsewhere(owners()) : madeUp(GUESTS));
            case MISPLACED_BLOCK -> guest(kind, real, any(LOCATING), misplaced(real));
        };
    }

    private ForbiddenAttempt guest(
            ForbiddenAttempt.ForbiddenReason kind, boolean real, BlockOperation operation, BlockTarget target) {
        return new ForbiddenAttempt(kind, real, operation, "Bearer " + neighbours.guestKey(), target);
    }

    /** The owner is no more at home at the guest's than the guest is at the owner's. */
    private ForbiddenAttempt othersAccount(boolean real) {
        boolean guests = random.nextInt(4) > 0;
        String key = guests ? neighbours.guestKey() : neighbours.ownerKey();
        BlockTarget theirs = guests
                ? BlockTarget.of(PRIVATE, neighbours.hidden, block())
                : BlockTarget.of(GUESTS, neighbours.guests, block());
        BlockTarget target =
                real ? theirs : BlockTarget.of(guess(), random.nextBoolean() ? theirs.prompt() : unknown(), block());
        return new ForbiddenAttempt(
                ForbiddenAttempt.ForbiddenReason.OTHERS_ACCOUNT, real, any(ALL), "Bearer " + key, target);
    }

    /** A block of the owner's, under the guest's own name; or half of its location. */
    private BlockTarget elsewhere(TestPrompt prompt) {
        BlockTarget target = BlockTarget.of(GUESTS, prompt, block());
        Location half =
                new Location(neighbours.guests.chain().root(), prompt.chain().hash(block()));
        return random.nextBoolean() ? target : target.at(half);
    }

    private BlockTarget misplaced(boolean real) {
        TestPrompt from = real ? any(List.of(neighbours.withheld, neighbours.hidden)) : unknown();
        Location location =
                new Location(neighbours.granted.chain().root(), from.chain().hash(block()));
        return BlockTarget.of(SHARED, neighbours.granted, block()).at(location);
    }

    private BlockTarget existing() {
        return any(List.of(
                BlockTarget.of(SHARED, neighbours.granted, block()),
                BlockTarget.of(SHARED, neighbours.withheld, block()),
                BlockTarget.of(PRIVATE, neighbours.hidden, block()),
                BlockTarget.of(GUESTS, neighbours.guests, block())));
    }

    private BlockTarget madeUp(String resource) {
        return BlockTarget.of(resource, unknown(), block());
    }

    private TestPrompt owners() {
        return any(List.of(neighbours.granted, neighbours.withheld, neighbours.hidden));
    }

    private static TestPrompt unknown() {
        return TestPrompt.unique(BLOCKS);
    }

    private int block() {
        return random.nextInt(STORED);
    }

    /** A name that an account could have, and none has. */
    private String guess() {
        return any(List.of(
                "guess-" + letters(random.nextInt(1, 50)),
                PRIVATE.toUpperCase(Locale.ROOT),
                PRIVATE + "." + letters(1),
                PRIVATE.substring(0, PRIVATE.length() - 1),
                Neighbours.OWNER,
                GUESTS + "-" + letters(3)));
    }

    private String badCredential() {
        String good = any(List.of(neighbours.ownerKey(), neighbours.guestKey()));
        String id = Neighbours.id(good);
        String secret = good.split("_", 3)[2];
        return any(Arrays.asList(
                null,
                "",
                "Bearer",
                "Bearer ",
                "Basic " + good,
                good,
                "Bearer " + letters(40),
                "Bearer " + good + letters(1),
                "Bearer " + good.substring(0, good.length() - 1),
                "Bearer " + good + " " + good,
                "Bearer " + oneLetterChanged(good),
                "Bearer " + good.toUpperCase(Locale.ROOT),
                "Bearer kv_" + id + "_",
                "Bearer kv_" + id + "_" + letters(secret.length()),
                "Bearer kv_" + letters(id.length()) + "_" + secret,
                "Bearer kv_" + letters(70) + "_" + secret,
                "Bearer kv__" + secret,
                "Bearer " + any(deadKeys)));
    }

    private String oneLetterChanged(String key) {
        int at = random.nextInt(key.length());
        String other = letters(1);
        while (key.startsWith(other, at)) {
            other = letters(1);
        }
        return key.substring(0, at) + other + key.substring(at + 1);
    }

    private String letters(int count) {
        StringBuilder text = new StringBuilder(count);
        for (int i = 0; i < count; i++) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    private <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
