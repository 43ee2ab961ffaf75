package dev.kvstore.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;

class FirstLookTest {
    private static final int MANY = 30;

    private final StringWriter out = new StringWriter();

    @Command(
            name = "kv trial",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Tries what help says. Exit code 1 if it says too much.")
    private static final class TrialCommand implements Runnable {
        @Override
        public void run() {}
    }

    @Command(name = "kv named", mixinStandardHelpOptions = true, description = "Names its flags.")
    @FirstFlags({"--flag-07", "--flag-29"})
    private static final class NamedCommand implements Runnable {
        @Override
        public void run() {}
    }

    @Test
    void aLongHelpIsCutToAScreen() {
        List<String> lines = help(withFlags(new TrialCommand()), "--help");

        assertThat(lines)
                .hasSize(FirstLook.LINES)
                .startsWith("Usage: kv trial [flags]", "Tries what help says.")
                .endsWith("kv trial --help-all explains all 30 flags")
                .contains("  --flag-00 N                 A number, with a long explanation (default 8)")
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(FirstLook.COLUMNS));
    }

    @Test
    void everythingIsThereWhenAskedFor() {
        List<String> lines = help(withFlags(new TrialCommand()), "--help-all");

        assertThat(String.join(" ", lines)).contains("--flag-00", "--flag-29", "Exit code 1 if it says too much.");
    }

    @Test
    void aListThatIsCutSaysSo() {
        CommandLine line = withFlags(new NamedCommand());
        line.getCommandSpec()
                .remove(line.getCommandSpec().findOption("--flag-07"))
                .addOption(OptionSpec.builder("--flag-07")
                        .arity("1")
                        .paramLabel("NAME")
                        .description("Colour of the paint: red, green, blue, yellow, purple, orange, brown, black or"
                                + " white, and no other. Default: red.")
                        .build());

        assertThat(help(line, "--help"))
                .contains(
                        "  --flag-07 NAME              Colour of the paint: red, green, blue, yellow, ... (default red)");
    }

    @Test
    void aCommandNamesTheFlagsOfItsFirstLook() {
        List<String> lines = help(withFlags(new NamedCommand()), "--help");

        assertThat(lines)
                .hasSize(5)
                .anyMatch(line -> line.startsWith("  --flag-07"))
                .anyMatch(line -> line.startsWith("  --flag-29"));
    }

    @Test
    void aShortHelpIsWhole() {
        CommandLine line = FirstLook.on(new CommandLine(new TrialCommand()));

        assertThat(String.join(" ", help(line, "--help"))).contains("Exit code 1 if it says too much.", "--version");
    }

    private static CommandLine withFlags(Object command) {
        CommandLine line = FirstLook.on(new CommandLine(command));
        for (int i = 0; i < MANY; i++) {
            line.getCommandSpec()
                    .addOption(OptionSpec.builder("--flag-%02d".formatted(i))
                            .arity("1")
                            .type(int.class)
                            .paramLabel("N")
                            .description(
                                    "A number, with a long explanation; the rest of it (in parentheses, too) is more"
                                            + " than a line has. Default: 8.")
                            .build());
        }
        return line;
    }

    private List<String> help(CommandLine line, String flag) {
        line.setOut(new PrintWriter(out, true)).execute(FirstLook.arguments(line, new String[] {flag}));
        return out.toString().lines().toList();
    }
}
