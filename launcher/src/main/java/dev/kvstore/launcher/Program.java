package dev.kvstore.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The programs of the service. Each is one jar that a build leaves in its module, with its AOT cache beside it after
 * {@code kv train}.
 */
public enum Program {
    DATA_PLANE("data-plane"),
    CONTROL_PLANE("control-plane");

    private final String module;

    Program(String module) {
        this.module = module;
    }

    /** The name for people, such as {@code data plane}. */
    public String title() {
        return module.replace('-', ' ');
    }

    /**
     * The jar in a checkout.
     *
     * @throws LaunchException if the jar was not built
     */
    public Path jar(Home home) {
        Path jar = home.path().resolve(module + "/target/" + module + "-runner.jar");
        if (!Files.exists(jar)) {
            throw new LaunchException(
                    "the " + title() + " is not built (" + jar + " is missing): run ./kv, or mvn package");
        }
        return jar;
    }

    /**
     * The path of a jar's AOT cache, which may not exist: classes loaded and linked and methods profiled, from an
     * earlier run.
     */
    public static Path cache(Path jar) {
        String name = jar.getFileName().toString();
        return jar.resolveSibling(name.substring(0, name.length() - ".jar".length()) + ".aot");
    }

    /**
     * A command line up to the program's own arguments: this process's java, the common flags, the program's flags, its
     * AOT cache if that has the jar's file time, then {@code more}.
     *
     * @param jar see {@link #jar}
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

    /**
     * Marks a cache as made of the present jar, by giving both one file time. Java refuses a cache whose jar has
     * another time, as after a plain copy of both, and prints errors at each start; so {@link #command} leaves such a
     * cache out.
     */
    public static void adopt(Path cache, Path jar) throws IOException {
        Files.setLastModifiedTime(cache, Files.getLastModifiedTime(jar));
    }

    private static boolean hasCache(Path jar) {
        Path cache = cache(jar);
        try {
            return Files.exists(cache) && Files.getLastModifiedTime(cache).equals(Files.getLastModifiedTime(jar));
        } catch (IOException gone) {
            return false;
        }
    }
}
