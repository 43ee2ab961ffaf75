package dev.kvstore.benchmark.limits;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** A value of {@code --only}: figures that are measured together. */
public enum Limit {
    WRITE("Writes against files"),
    DISK("Reads from the disk tier against fio"),
    SMALL("Blocks of 512 bytes"),
    LOOKUP("Lookups of 1,000 blocks"),
    COLD("A cold stream against one cold Read"),
    FAR("Reads with storage far away"),
    START("Start and memory");

    private final String title;

    Limit(String title) {
        this.title = title;
    }

    /** For people. */
    String title() {
        return title;
    }

    /** The limit's name on the command line and in the JSON. */
    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
