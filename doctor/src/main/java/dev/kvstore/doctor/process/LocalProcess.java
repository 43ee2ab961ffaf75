package dev.kvstore.doctor.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.doctor.environment.Variables;
import dev.kvstore.settings.OldNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A process of this machine. Immutable; reads anew each time.
 *
 * @param root the folder that holds {@code proc} and {@code sys}; {@code /}, or a recorded tree
 * @param id the process id
 */
public record LocalProcess(Path root, long id) {
    String subject() {
        return "process " + id;
    }

    /** A file of the process, such as {@code limits}. */
    Path file(String name) {
        return root.resolve("proc").resolve(Long.toString(id)).resolve(name);
    }

    /** The environment of the process. */
    public Variables variables() {
        return Variables.read(file("environ").toString());
    }

    /** The command line of the process. */
    List<String> command() throws IOException {
        return List.of(Files.readString(file("cmdline"), UTF_8).split("\0", -1));
    }

    /** The value of a flag, as {@code --flag VALUE} or {@code --flag=VALUE}. */
    Optional<String> flag(String name) throws IOException {
        List<String> command = command();
        for (int i = 0; i < command.size(); i++) {
            if (command.get(i).equals(name) && i + 1 < command.size()) {
                return Optional.of(command.get(i + 1));
            }
            if (command.get(i).startsWith(name + "=")) {
                return Optional.of(command.get(i).substring(name.length() + 1));
            }
        }
        return Optional.empty();
    }

    /** A setting such as {@code kvstore.state-path}, from the environment or a flag of java. */
    Optional<String> setting(String name) throws IOException {
        Pattern property = Pattern.compile("-D" + Pattern.quote(name) + "=(\\S+)");
        return Stream.of(
                        Optional.of(variables().value(OldNames.variable(name))).filter(value -> !value.isEmpty()),
                        match(property, String.join(" ", command())),
                        match(property, variables().value("JAVA_TOOL_OPTIONS")))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** The line of a file of the process that begins with a word, without that. */
    Optional<String> line(String name, String word) throws IOException {
        return Files.readAllLines(file(name)).stream()
                .filter(line -> line.startsWith(word))
                .map(line -> line.substring(word.length()).strip())
                .findFirst();
    }

    static Optional<String> match(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
