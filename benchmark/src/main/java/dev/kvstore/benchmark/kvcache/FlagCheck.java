package dev.kvstore.benchmark.kvcache;

/** Refuses flags, by name. Stateless. */
final class FlagCheck {
    private FlagCheck() {}

    static void range(String flag, long number, long least, long most) {
        refuseIf(number < least || number > most, flag + ": must be " + least + " to " + most + ", not " + number);
    }

    /** @param least as people read it, as {@code most} */
    static void range(String flag, double number, String least, String most) {
        boolean fits = number >= Double.parseDouble(least) && number <= Double.parseDouble(most);
        refuseIf(!fits, flag + ": must be " + least + " to " + most + ", not " + number);
    }

    /** Refuses a flag beside another one. */
    static void exclude(String flag, boolean given, String other) {
        refuseIf(given, flag + ": excludes " + other + "; leave one of the two out");
    }

    static void refuseIf(boolean wrong, String sentence) {
        if (wrong) {
            throw new IllegalArgumentException(sentence);
        }
    }
}
