package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each command of Terraform, Kubernetes and Azure that a document prints names what is there: variables, outputs and
 * resources of the configuration, objects of the chart, flags of the tool. {@link DocumentedCommandsIT} does the same
 * for {@code kv}, {@link ChartIT} for Helm.
 */
class DocumentedToolsIT {
    private static final Pattern IN_LINE = Pattern.compile("`((?:terraform|kubectl|az) [^`]+)`");
    private static final Pattern MODULE =
            Pattern.compile("(?ms)^module \"([^\"]+)\" \\{.*?source += \"([^\"]+)\".*?^}");
    private static final Pattern ADDRESS =
            Pattern.compile("(?:module\\.(\\w+)(?:\\[[^]]*])?\\.?)?(?:(\\w+)\\.(\\w+))?.*");
    private static final Pattern CREATED = Pattern.compile("create secret generic (\\S+)");
    private static final Pattern OBJECT = Pattern.compile("\\b(?:secret|service|statefulset|deployment)[/ ](\\S+)");
    private static final Set<String> TERRAFORM =
            Set.of("apply", "destroy", "import", "init", "output", "plan", "providers", "show", "state");

    /** Pages about examples that are not beside them. */
    private static final Map<String, List<String>> EXAMPLES = Map.of(
            "docs/operations/terraform.md", List.of("one-region"),
            "docs/operations/recovery.md", List.of("one-region", "five-regions"));

    /** Flags that each command of az takes. */
    private static final Set<String> OF_EACH =
            Set.of("--help", "-h", "--only-show-errors", "--output", "-o", "--query", "--subscription");

    @TempDir
    static Path folder;

    /** A command, without what stands before and behind it, and the place where it is printed. */
    private record PrintedToolCommand(Documents.DocumentLine line, List<String> words) {
        String page() {
            return Documents.ROOT.relativize(line.file()).toString();
        }

        /** The values of a flag, however they are joined to it. */
        List<String> values(String flag) {
            List<String> values = new ArrayList<>();
            for (int i = 0; i < words.size(); i++) {
                if (words.get(i).equals(flag) && i + 1 < words.size()) {
                    values.add(words.get(i + 1));
                } else if (words.get(i).startsWith(flag + "=")) {
                    values.add(words.get(i).substring(flag.length() + 1));
                }
            }
            return values;
        }

        @Override
        public String toString() {
            return line + " " + String.join(" ", words);
        }
    }

    private static List<PrintedToolCommand> printed(String program) throws IOException {
        List<PrintedToolCommand> commands = new ArrayList<>();
        for (Path file : Documents.markdown()) {
            Documents.DocumentLine begun = null;
            for (Documents.DocumentLine line : Documents.lines(file)) {
                String text = begun == null ? line.text() : begun.text() + " " + line.text();
                Documents.DocumentLine whole = new Documents.DocumentLine(file, line.number(), text);
                // An odd number of marks: the command goes on in the next line.
                begun = text.chars().filter(mark -> mark == '`').count() % 2 == 0 ? null : whole;
                if (begun == null) {
                    IN_LINE.matcher(text).results().forEach(found -> add(commands, program, line, found.group(1)));
                }
            }
            for (Documents.DocumentLine line : Documents.commandLines(file)) {
                add(commands, program, line, line.text());
            }
        }
        assertThat(commands).as("commands of " + program).isNotEmpty();
        return commands;
    }

    private static void add(
            List<PrintedToolCommand> commands, String program, Documents.DocumentLine line, String text) {
        ShellWords.commands(text).stream()
                .filter(words -> words.size() > 1
                        && words.getFirst().equals(program)
                        && !words.get(1).equals("{"))
                .forEach(words -> commands.add(new PrintedToolCommand(line, words)));
    }

    /** The Terraform configuration of a folder: its files as one text. */
    private static String configuration(Path place) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            StringBuilder text = new StringBuilder();
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".tf")).toList()) {
                text.append(Files.readString(file)).append('\n');
            }
            return text.toString();
        }
    }

    @Test
    void ofTerraformNamesVariablesOutputsAndResourcesOfItsConfiguration() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (PrintedToolCommand command : printed("terraform")) {
            if (!TERRAFORM.contains(command.words().get(1))) {
                wrong.add(command + ": not a verb of Terraform");
            }
            List<Path> places = places(command);
            StringBuilder text = new StringBuilder();
            for (Path place : places) {
                text.append(configuration(place));
            }
            String configuration = text.toString();
            if (configuration.isEmpty()) {
                // The page has its own: it is applied by TerraformIT, or by the tests of the provider.
                continue;
            }
            for (String setting : command.values("-var")) {
                if (!configuration.contains("variable \"" + setting.split("=", 2)[0] + "\"")) {
                    wrong.add(command + ": no variable " + setting);
                }
            }
            if (command.words().get(1).equals("output")
                    && !configuration.contains("output \"" + command.words().getLast() + "\"")) {
                wrong.add(command + ": no output " + command.words().getLast());
            }
            for (String address : addresses(command)) {
                boolean exists = false;
                for (Path place : places) {
                    exists |= exists(place, address);
                }
                if (!exists) {
                    wrong.add(command + ": nothing is at " + address);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static List<Path> places(PrintedToolCommand command) {
        List<String> examples = EXAMPLES.get(command.page());
        return examples == null
                ? List.of(Objects.requireNonNull(command.line().file().getParent()))
                : examples.stream()
                        .map(Documents.ROOT.resolve("terraform/examples")::resolve)
                        .toList();
    }

    private static List<String> addresses(PrintedToolCommand command) {
        List<String> addresses = new ArrayList<>(command.values("-target"));
        addresses.addAll(command.values("-replace"));
        if (command.words().get(1).equals("state")) {
            command.words().stream().skip(3).forEach(addresses::add);
        }
        return addresses;
    }

    private static boolean exists(Path place, String address) throws IOException {
        Matcher parts = ADDRESS.matcher(address);
        if (!parts.matches()) {
            return false;
        }
        Path inside = place;
        if (parts.group(1) != null) {
            String source = MODULE.matcher(configuration(place))
                    .results()
                    .filter(module -> module.group(1).equals(parts.group(1)))
                    .map(module -> module.group(2))
                    .findFirst()
                    .orElse(null);
            if (source == null) {
                return false;
            }
            inside = place.resolve(source).normalize();
        }
        return parts.group(2) == null
                || configuration(inside).contains("resource \"%s\" \"%s\"".formatted(parts.group(2), parts.group(3)));
    }

    @Test
    void ofKubernetesNamesObjectsOfTheChartOrOfAManifest() throws Exception {
        Chart chart = new Chart(GoTool.HELM.path(), folder);
        String manifest = Files.readString(Documents.ROOT.resolve("deploy/engines/vllm.yaml"));
        String rendered = chart.render(Chart.DEV) + chart.render(chart.production()) + manifest;
        String values = Files.readString(Documents.ROOT.resolve("docs/operations/kubernetes.md"))
                + Files.readString(Documents.ROOT.resolve("terraform/modules/cluster-aks/templates/values.yaml.tftpl"))
                + manifest;
        List<PrintedToolCommand> commands = printed("kubectl");
        List<String> made = commands.stream()
                .map(command -> String.join(" ", command.words()))
                .flatMap(text -> CREATED.matcher(text).results())
                .map(found -> found.group(1))
                .toList();
        List<String> wrong = new ArrayList<>();
        made.stream()
                .filter(name -> !Pattern.compile("(?i)secret(name)?\"?[:=] *\"?" + name + "\\b")
                        .matcher(values)
                        .find())
                .forEach(name -> wrong.add("neither a value of the chart nor a manifest names the secret " + name));
        for (PrintedToolCommand command : commands) {
            String text = String.join(" ", command.words());
            OBJECT.matcher(text)
                    .results()
                    .map(found -> found.group(1))
                    .filter(name -> !name.startsWith("-") && !name.equals("generic") && !made.contains(name))
                    .filter(name -> !rendered.contains("name: " + name + "\n"))
                    .forEach(name -> wrong.add(command + ": neither the chart nor a manifest makes " + name));
            command.values("-l").stream()
                    .filter(label -> !rendered.contains(label.replace("=", ": ") + "\n"))
                    .forEach(label -> wrong.add(command + ": nothing of the chart has the label " + label));
        }
        assertThat(wrong).isEmpty();
        assertThat(made).isNotEmpty();
    }

    @Test
    void ofAzureHasFlagsThatItsToolTakes() throws IOException {
        Map<String, Set<String>> flags = new HashMap<>();
        for (String line : resource("az-flags.txt")
                .lines()
                .filter(text -> !text.startsWith("#"))
                .toList()) {
            String[] parts = line.split(": ", 2);
            flags.put(parts[0], Set.of(parts[1].split(" ")));
        }
        List<String> wrong = new ArrayList<>();
        Set<String> unused = new HashSet<>(flags.keySet());
        for (PrintedToolCommand command : printed("az")) {
            String verb = command.words().stream()
                    .skip(1)
                    .takeWhile(word -> !word.startsWith("-"))
                    .collect(Collectors.joining(" "));
            unused.remove(verb);
            Set<String> known = flags.get(verb);
            if (known == null) {
                wrong.add(command + ": az-flags.txt does not have it");
                continue;
            }
            command.words().stream()
                    .filter(word -> word.startsWith("-"))
                    .map(word -> word.split("=", 2)[0])
                    .filter(flag -> !known.contains(flag) && !OF_EACH.contains(flag))
                    .forEach(flag -> wrong.add(command + ": " + flag));
        }
        assertThat(wrong).isEmpty();
        assertThat(unused).as("commands that no page has").isEmpty();
    }

    private static String resource(String name) throws IOException {
        try (var input = Objects.requireNonNull(DocumentedToolsIT.class.getResourceAsStream(name))) {
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
