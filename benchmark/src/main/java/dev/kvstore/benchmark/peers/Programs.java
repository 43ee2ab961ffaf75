package dev.kvstore.benchmark.peers;

import dev.kvstore.launcher.LaunchException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The programs of others that this machine has.
 *
 * @param paths the paths of the programs that were found
 */
public record Programs(Map<PeerProgram, Path> paths) {
    /** Where Debian puts servers, which is not on everybody's PATH. */
    private static final List<Path> SERVERS = List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"));

    public Programs {
        paths = Map.copyOf(paths);
    }

    /** The programs of the PATH, and of folders with servers. */
    public static Programs ofThisMachine() {
        List<Path> folders = new ArrayList<>();
        Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(Objects.requireNonNullElse(System.getenv("PATH"), ""))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of)
                .forEach(folders::add);
        folders.addAll(SERVERS);
        return in(folders);
    }

    /** The first of each in these folders. */
    public static Programs in(List<Path> folders) {
        Map<PeerProgram, Path> found = new EnumMap<>(PeerProgram.class);
        for (PeerProgram program : PeerProgram.values()) {
            folders.stream()
                    .map(folder -> folder.resolve(program.command()))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .ifPresent(path -> found.put(program, path));
        }
        return new Programs(found);
    }

    /** The programs that a peer needs and that are not installed. */
    List<PeerProgram> missing(ComparedSystem peer) {
        return peer.programs().stream()
                .filter(program -> !paths.containsKey(program))
                .toList();
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

    /**
     * A command line that ends when this process does, as a server of others does not by itself: a shell holds its
     * standard input, sends SIGTERM when that ends, and is replaced by the program otherwise, which so has the
     * process's id.
     */
    public static List<String> endingWithThis(List<String> command) {
        List<String> all = new ArrayList<>(List.of(
                "/bin/sh", "-c", "exec 3<&0; (cat <&3 >/dev/null; kill $$) & exec \"$@\" 3<&- </dev/null", "sh"));
        all.addAll(command);
        return List.copyOf(all);
    }
}
