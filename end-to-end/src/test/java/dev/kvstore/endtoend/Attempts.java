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
import java.util.random.RandomGenerator;

/** Makes up what a guest, or a stranger, may try. For one thread. */
final class Attempts {
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final List<Operation> READING = List.of(Operation.LOOKUP, Operation.READ, Operation.STREAMING_READ);
    private static final List<Operation> LOCATING = List.of(Operation.READ, Operation.STREAMING_READ);
    private static final List<Operation> WRITING = List.of(Operation.WRITE, Operation.STREAMING_WRITE);
    private static final List<Operation> ALL = List.of(Operation.values());

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

    Attempt next() {
        Attempt.Kind kind = any(Arrays.asList(Attempt.Kind.values()));
        boolean real = random.nextBoolean();
        return switch (kind) {
            case NO_KEY ->
                new Attempt(
                        kind,
                        real,
                        any(ALL),
                        badCredential(),
                        real ? existing() : madeUp(any(List.of(SHARED, PRIVATE, guess()))));
            case OTHERS_ACCOUNT -> othersAccount(real);
            case OTHERS_PARTITION ->
                guest(kind, real, any(ALL), real ? Target.of(SHARED, neighbours.withheld, block()) : madeUp(SHARED));
            case READ_ONLY ->
                guest(
                        kind,
                        real,
                        any(WRITING),
                        Target.of(SHARED, neighbours.granted, real ? random.nextInt(STORED) : BLOCKS - 1));
            case OTHERS_BLOCK -> guest(kind, real, any(READING), real ? elsewhere(owners()) : madeUp(GUESTS));
            case MISPLACED_BLOCK -> guest(kind, real, any(LOCATING), misplaced(real));
        };
    }

    private Attempt guest(Attempt.Kind kind, boolean real, Operation operation, Target target) {
        return new Attempt(kind, real, operation, "Bearer " + neighbours.guestKey(), target);
    }

    /** The owner is no more at home at the guest's than the guest is at the owner's. */
    private Attempt othersAccount(boolean real) {
        boolean guests = random.nextInt(4) > 0;
        String key = guests ? neighbours.guestKey() : neighbours.ownerKey();
        Target theirs =
                guests ? Target.of(PRIVATE, neighbours.hidden, block()) : Target.of(GUESTS, neighbours.guests, block());
        Target target = real ? theirs : Target.of(guess(), random.nextBoolean() ? theirs.prompt() : unknown(), block());
        return new Attempt(Attempt.Kind.OTHERS_ACCOUNT, real, any(ALL), "Bearer " + key, target);
    }

    /** A block of the owner's, under the guest's own name; or half of its location. */
    private Target elsewhere(Prompt prompt) {
        Target target = Target.of(GUESTS, prompt, block());
        Location half =
                new Location(neighbours.guests.chain().root(), prompt.chain().hash(block()));
        return random.nextBoolean() ? target : target.at(half);
    }

    private Target misplaced(boolean real) {
        Prompt from = real ? any(List.of(neighbours.withheld, neighbours.hidden)) : unknown();
        Location location =
                new Location(neighbours.granted.chain().root(), from.chain().hash(block()));
        return Target.of(SHARED, neighbours.granted, block()).at(location);
    }

    private Target existing() {
        return any(List.of(
                Target.of(SHARED, neighbours.granted, block()),
                Target.of(SHARED, neighbours.withheld, block()),
                Target.of(PRIVATE, neighbours.hidden, block()),
                Target.of(GUESTS, neighbours.guests, block())));
    }

    private Target madeUp(String resource) {
        return Target.of(resource, unknown(), block());
    }

    private Prompt owners() {
        return any(List.of(neighbours.granted, neighbours.withheld, neighbours.hidden));
    }

    private static Prompt unknown() {
        return Prompt.unique(BLOCKS);
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
