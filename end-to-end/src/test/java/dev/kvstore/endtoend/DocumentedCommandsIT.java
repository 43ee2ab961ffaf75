package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.kvstore.launcher.command.Launcher;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Each command of {@code kv} that a document or a help text prints is one that {@code kv} takes: its verbs, flags,
 * kinds and fields are there, and its values can be read.
 */
class DocumentedCommandsIT {
    private static final Pattern IN_LINE = Pattern.compile("`(?:\\./)?kv ([a-z-]+ [^`]*)`");
    private static final Pattern IN_BLOCK =
            Pattern.compile("^\\s*(?:sudo |\\w+=\\S* )*(?:[\\w./-]*/)?kv ([a-z-]+ .*)$");
    private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|'[^']*'|\\S+");

    /** Where a command ends: a comment, a description in a second column, another command. */
    private static final Pattern END = Pattern.compile("\\s#.*|\\s{2,}.*|\\s[|>&;].*|\\)\"?$");

    /** Of a synopsis, not of a command: things to be left out, or put in by the reader as a whole. */
    private static final Pattern SYNOPSIS = Pattern.compile("[\\[\\]|]|\\.\\.\\.|\\b(KIND|VERB|FLAG)\\b|…");

    /** As many words as {@code admin get account NAME} has. */
    private static final int WHOLE = 4;

    /** Flags whose files or services the reader has; their values are not looked at. */
    private static final Set<String> OF_THE_READER = Set.of("--ca", "--url", "--token-file");

    @TempDir
    Path folder;

    /** A command, and the place where it is printed. */
    private record PrintedCommand(String place, List<String> words) {
        String verb() {
            return words.getFirst();
        }

        /** The verb whose help tells of its flags. */
        String helpVerb() {
            boolean isBelow = verb().equals("bench")
                    || (verb().equals("terraform") && words.get(1).equals("check"));
            return isBelow ? verb() + " " + words.get(1) : verb();
        }

        List<String> arguments() {
            return words.subList(1, words.size());
        }
    }

    private static List<PrintedCommand> printed() throws Exception {
        List<PrintedCommand> commands = new ArrayList<>();
        for (Path file : Documents.markdown()) {
            if (file.endsWith("CHANGELOG.md")) {
                continue;
            }
            for (Documents.DocumentLine line : Documents.lines(file)) {
                Matcher command = IN_LINE.matcher(line.text());
                while (command.find()) {
                    add(commands, line.toString(), command.group(1));
                }
            }
            for (Documents.DocumentLine line : Documents.commandLines(file)) {
                addBlock(commands, line.toString(), line.text());
            }
        }
        footers(Launcher.commandLine(), commands);
        return commands;
    }

    private static void addBlock(List<PrintedCommand> commands, String place, String line) {
        Matcher command = IN_BLOCK.matcher(line);
        if (command.matches()) {
            add(commands, place, command.group(1));
        }
    }

    private static void add(List<PrintedCommand> commands, String place, String text) {
        Matcher end = END.matcher(text);
        boolean ends = end.find();
        String command = (ends ? text.substring(0, end.start()) : text).strip();
        boolean alternatives = ends && end.group().contains("|");
        if (alternatives || SYNOPSIS.matcher(command).find()) {
            return;
        }
        List<String> words = WORD.matcher(command)
                .results()
                .map(word -> word.group().replaceAll("[\"']", ""))
                .toList();
        // Less is the name of a verb, in prose.
        if (words.size() >= WHOLE || words.stream().anyMatch(word -> word.startsWith("--") || word.contains("="))) {
            commands.add(new PrintedCommand(place + " kv " + command, words));
        }
    }

    /** The examples of help texts. */
    private static void footers(CommandLine line, List<PrintedCommand> commands) {
        String text = String.join("\n", line.getCommandSpec().usageMessage().footer());
        for (String example : text.replaceAll("\\\\\n *", "").split("\n", -1)) {
            addBlock(commands, line.getCommandSpec().qualifiedName(), example);
        }
        line.getSubcommands().values().forEach(below -> footers(below, commands));
    }

    @Test
    void ofAdminsIsDoneOrRefusedByTheControlPlaneAlone() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "kva_secret");
        Path file = Files.writeString(folder.resolve("file.json"), "{}");
        HttpServer nothingThere = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        nothingThere.createContext("/", call -> {
            try (call) {
                byte[] problem = "{\"title\": \"Not found\"}".getBytes(UTF_8);
                call.sendResponseHeaders(404, problem.length);
                call.getResponseBody().write(problem);
            }
        });
        nothingThere.start();
        try {
            String url = "http://127.0.0.1:" + nothingThere.getAddress().getPort();
            List<String> wrong = new ArrayList<>();
            int tried = 0;
            for (PrintedCommand command : printed()) {
                if (command.verb().equals("admin")) {
                    tried++;
                    Kv.KvResult result = Admin.run(url, token, own(command.arguments(), file));
                    if (result.exitCode() != 1) {
                        wrong.add(command.place() + ": "
                                + result.err().lines().findFirst().orElse(""));
                    }
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(tried).isGreaterThan(40);
        } finally {
            nothingThere.stop(0);
        }
    }

    private static String[] own(List<String> words, Path file) {
        List<String> own = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            if (OF_THE_READER.contains(words.get(i))) {
                i++;
            } else {
                own.add(i > 0 && words.get(i - 1).equals("--file") ? file.toString() : words.get(i));
            }
        }
        // The last word may be --json, which takes a file that follows.
        if (own.getLast().equals("--json")) {
            own.removeLast();
        }
        return own.toArray(String[]::new);
    }

    @Test
    void ofTheLaunchersVerbsIsUnderstood() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (PrintedCommand command : printed()) {
            boolean launched = !command.helpVerb().equals("terraform check")
                    && (Set.of("up", "database", "terraform", "top").contains(command.verb())
                            || (command.verb().equals("node")
                                    && !command.words().get(1).startsWith("-")));
            try {
                if (launched) {
                    var _ = Launcher.commandLine().parseArgs(command.words().toArray(String[]::new));
                }
            } catch (CommandLine.ParameterException e) {
                wrong.add(command.place() + ": " + e.getMessage());
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void ofAnyOtherVerbHasFlagsOfWhichItsHelpTells() throws Exception {
        Map<String, String> helps = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        for (PrintedCommand command : printed()) {
            String verb = command.helpVerb();
            boolean other = Set.of(
                                    "demo",
                                    "doctor",
                                    "image",
                                    "publish",
                                    "train",
                                    "check",
                                    "test",
                                    "control-plane",
                                    "terraform check")
                            .contains(verb)
                    || verb.startsWith("bench ")
                    || (verb.equals("node") && command.words().get(1).startsWith("-"));
            List<String> flags = command.arguments().stream()
                    .filter(word -> word.startsWith("--"))
                    .map(word -> word.split("=", 2)[0])
                    .toList();
            if (other && !flags.isEmpty()) {
                if (!helps.containsKey(verb)) {
                    helps.put(
                            verb,
                            Kv.run(folder, Map.of(), List.of((verb + " --help-all").split(" ", -1)))
                                    .out());
                }
                List<String> told = Arrays.asList(helps.getOrDefault(verb, "").split("[\\s,=\\[\\]]+", -1));
                flags.stream()
                        .filter(flag -> !told.contains(flag) && !flag.startsWith("--help"))
                        .forEach(flag -> wrong.add(command.place() + ": " + flag));
            }
        }
        assertThat(wrong).isEmpty();
    }
}
