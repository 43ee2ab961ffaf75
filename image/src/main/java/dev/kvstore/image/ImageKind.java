package dev.kvstore.image;

import com.google.common.collect.ImmutableList;
import dev.kvstore.launcher.Program;
import java.util.Locale;
import java.util.Optional;

/** An image that is built. */
enum ImageKind {
    CONTROL_PLANE("KV Store: control plane", Optional.of(Program.CONTROL_PLANE), 8080, 9090),
    DATA_PLANE("KV Store: data plane", Optional.of(Program.DATA_PLANE), 8085, 9085),
    ADMIN("KV Store: kv admin", Optional.empty());

    final String title;

    /** The program that is trained and started; empty for the launcher's jar. */
    final Optional<Program> program;

    final ImmutableList<Integer> ports;

    ImageKind(String title, Optional<Program> program, Integer... ports) {
        this.title = title;
        this.program = program;
        this.ports = ImmutableList.copyOf(ports);
    }

    /** The module that builds it. */
    String module() {
        return this == ADMIN ? "launcher" : toString();
    }

    /** The last part of a repository's name. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
