package dev.kvstore.image;

import dev.kvstore.launcher.Program;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** An image that is built. */
enum ImageKind {
    CONTROL_PLANE("KV Store: control plane", Optional.of(Program.CONTROL_PLANE)),
    DATA_PLANE("KV Store: data plane", Optional.of(Program.DATA_PLANE)),
    ADMIN("KV Store: kv admin", Optional.empty());

    final String title;

    /** The program in the image; empty for the launcher's jar. */
    final Optional<Program> program;

    ImageKind(String title, Optional<Program> program) {
        this.title = title;
        this.program = program;
    }

    /** The module with the program. */
    String module() {
        return this == ADMIN ? "launcher" : toString();
    }

    List<Integer> ports() {
        return switch (this) {
            case CONTROL_PLANE -> List.of(8080, 9090);
            case DATA_PLANE -> List.of(8085, 9085);
            case ADMIN -> List.of();
        };
    }

    /** The last part of a repository's name. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
