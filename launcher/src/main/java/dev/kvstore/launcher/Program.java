package dev.kvstore.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The programs of the service. Each is one jar that a build leaves in its module, with its AOT cache beside it after {@code kv train}. */
public enum Program {
    DATA_PLANE("data-plane"),
    CONTROL_PLANE("control-plane");

    private final String module;

    Program(String module) {
        this.module = module;
    }

    /** For people: {@code data plane}. */
    public String title() {
        return module.replace('-', ' ');
    }

    /**
     * The jar in a checkout.
     *
     * @throws LaunchException if it was not built
     */
    public Path jar(Home home) {
        Path jar = home.path().resolve(module + "/target/" + module + "-runner.jar");
        if (!Files.exists(jar)) {
            throw new LaunchException(
                    "the " + title() + " is not built (" + jar + " is missing): run ./kv, or mvn package");
        }
        return jar;
    }

    /** Where the AOT cache of a jar is, if it has one: classes loaded and linked and methods profiled, from a run before. */
    public static Path cache(Path jar) {
        String name = jar.getFileName().toString();
        return jar.resolveSibling(name.substring(0, name.length() - ".jar".length()) + ".aot");
    }

    /**
     * A command line up to the program's own arguments: this process's java, the common flags, the program's, its AOT
     * cache if that is younger than the jar, then {@code more}.
     *
     * @param jar as in {@link #jar}
     */
    public List<String> command(Path jar, List<String> more) {
        List<String> flags = new ArrayList<>(JvmOptions.read(module + ".options"));
        if (hasCache(jar)) {
            flags.add("-XX:AOTCache=" + cache(jar));
        }
        flags.addAll(more);
        List<String> command = new ArrayList<>(JvmOptions.java(flags));
        command.addAll(List.of("-jar", jar.toString()));
        return List.copyOf(command);
    }

    // Java would refuse an older one too, with a warning at each start.
    private static boolean hasCache(Path jar) {
        Path cache = cache(jar);
        try {
            return Files.exists(cache)
                    && Files.getLastModifiedTime(cache).compareTo(Files.getLastModifiedTime(jar)) > 0;
        } catch (IOException gone) {
            return false;
        }
    }
}
