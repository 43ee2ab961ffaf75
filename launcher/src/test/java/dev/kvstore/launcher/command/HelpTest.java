package dev.kvstore.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.CommandLines;
import dev.kvstore.settings.FirstLook;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Help of {@code kv up}, {@code node}, {@code admin} and {@code terraform}, and of every command below them. */
class HelpTest {
    @TestFactory
    Stream<DynamicTest> aFirstLookFitsAScreen() {
        return commands(Launcher.commandLine())
                .map(command -> DynamicTest.dynamicTest(
                        name(command),
                        () -> assertThat(help(command, "--help"))
                                .isNotEmpty()
                                .hasSizeLessThanOrEqualTo(FirstLook.LINES)
                                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(FirstLook.COLUMNS))));
    }

    @TestFactory
    Stream<DynamicTest> everythingNamesEveryFlag() {
        return commands(Launcher.commandLine())
                .map(command -> DynamicTest.dynamicTest(
                        name(command),
                        () -> assertThat(String.join(" ", help(command, "--help-all")))
                                .contains(command.getCommandSpec().options().stream()
                                        .filter(option -> !option.hidden())
                                        .map(OptionSpec::longestName)
                                        .toList())));
    }

    /** The commands that can be called, except the program itself: users know it as the script. */
    private static Stream<CommandLine> commands(CommandLine line) {
        return line.getSubcommands().values().stream()
                .flatMap(command -> Stream.concat(Stream.of(command), commands(command)))
                .filter(command -> command.getCommandSpec().mixinStandardHelpOptions());
    }

    private static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName();
    }

    private static List<String> help(CommandLine command, String flag) {
        StringWriter out = new StringWriter();
        CommandLine kv = Launcher.commandLine().setOut(new PrintWriter(out, true));
        String[] arguments =
                (name(command) + " " + flag).substring("kv ".length()).split(" ");
        CommandLines.execute(kv, arguments);
        return out.toString().lines().toList();
    }
}
