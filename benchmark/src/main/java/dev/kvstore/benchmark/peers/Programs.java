package dev.kvstore.benchmark.peers;

import dev.kvstore.launcher.LaunchException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The programs of others that this machine has.
 *
 * @param paths the paths of the programs that were found
 */
public record Programs(Map<PeerProgram, Path> paths) {
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    /** Where Debian puts servers, which is not on everybody's PATH. */
    private static final String SERVERS = String.join(File.pathSeparator, "/usr/sbin", "/usr/local/sbin");

    public Programs {
        paths = Map.copyOf(paths);
    }

    /** The programs of the PATH, and of folders with servers. */
    public static Programs ofThisMachine() {
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        return in(path + File.pathSeparator + SERVERS);
    }

    /**
     * The first of each in these folders.
     *
     * @param folders as in the variable PATH
     */
    public static Programs in(String folders) {
        Map<PeerProgram, Path> found = new EnumMap<>(PeerProgram.class);
        for (PeerProgram program : PeerProgram.values()) {
            find(program.command(), folders).ifPresent(path -> found.put(program, path));
        }
        return new Programs(found);
    }

    /**
     * The first program of a name.
     *
     * @param folders as in the variable PATH
     */
    public static Optional<Path> find(String program, String folders) {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(folders)
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Of these programs, those that are not installed. */
    List<PeerProgram> missing(List<PeerProgram> wanted) {
        return wanted.stream().filter(program -> !paths.containsKey(program)).toList();
    }

    /**
     * The start of a program's command line.
     *
     * @throws LaunchException if the machine does not have it
     */
    public String path(PeerProgram program) {
        Path path = paths.get(program);
        if (path == null) {
            throw new LaunchException(program.command() + " is not installed: it comes with the Debian package "
                    + program.debianPackage());
        }
        return path.toString();
    }

    /** The command line of a Redis that keeps everything in memory, and {@link #endingWithThis ends with this process}. */
    public List<String> redis(int port, Path folder) {
        return endingWithThis(command(
                "%s --bind 127.0.0.1 --port %s --save %s --appendonly no --daemonize no --dir %s",
                path(PeerProgram.REDIS_SERVER), port, "", folder));
    }

    /**
     * The words of a command line.
     *
     * @param text words with blanks between them, at most one {@code %s} in each
     * @param arguments for {@code %s}, which may have blanks
     */
    public static List<String> command(String text, Object... arguments) {
        Iterator<Object> next = List.of(arguments).iterator();
        return BLANKS.splitAsStream(text)
                .map(word -> word.contains("%s") ? word.replace("%s", String.valueOf(next.next())) : word)
                .toList();
    }

    /**
     * A command line that ends when this process does, as a server of others does not by itself: a shell holds its
     * standard input, sends SIGTERM when that ends, and is replaced by the program otherwise, which so has the
     * process's id.
     */
    public static List<String> endingWithThis(List<String> command) {
        String script = "exec 3<&0; (cat <&3 >/dev/null; kill $$) & exec \"$@\" 3<&- </dev/null";
        return Stream.concat(Stream.of("/bin/sh", "-c", script, "sh"), command.stream())
                .toList();
    }
}
