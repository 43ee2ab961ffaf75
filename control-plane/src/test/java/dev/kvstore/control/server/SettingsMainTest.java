package dev.kvstore.control.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.kvstore.settings.OldNames;
import dev.kvstore.settings.ProgramVariables;
import dev.kvstore.settings.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

final class SettingsMainTest {
    private static final Pattern IN_PROPERTIES = Pattern.compile("\\$\\{(kvstore\\.[a-z.-]+):([^}]*)}");

    @Test
    void everySettingThatIsReadIsInTheTableWithTheDefaultInForce() throws IOException {
        Map<String, String> read = new TreeMap<>(injected());
        read.putAll(inProperties());
        // A flag's, and two secrets that only the environment has.
        read.keySet().removeIf(name -> name.equals("kvstore.storage-endpoints") || name.endsWith("-token"));

        Map<String, String> table = new TreeMap<>();
        SettingList.SETTINGS.forEach(setting -> table.put("kvstore." + setting.name(), setting.standard()));
        assertThat(read).isNotEmpty();
        assertThat(table).isEqualTo(read);
    }

    @Test
    void everyVariableOfTheHelpIsInTheTable() {
        String help = String.join("\n", Flags.class.getAnnotation(Command.class).footer());

        assertThat(SettingList.VARIABLES)
                .hasSize(4)
                .extracting(Setting::name)
                .allSatisfy(name -> assertThat(help).contains(name));
        assertThat(Pattern.compile("KVSTORE_\\w+").matcher(help).results().map(found -> found.group()))
                .allSatisfy(name -> assertThat(SettingList.VARIABLES)
                        .extracting(Setting::name)
                        .contains(name));
    }

    @Test
    void flagsHaveTheirDefaults() {
        assertThat(SettingsMain.groups().get(1).settings())
                .extracting(setting -> setting.name() + "=" + setting.standard())
                .contains("--http-port=8080", "--host=127.0.0.1", "--log-level=warn");
    }

    @Test
    void otherProgramsKnowItsVariables() {
        assertThat(ProgramVariables.CONTROL_PLANE)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                SettingList.SETTINGS.stream()
                                        .map(setting -> OldNames.variable("kvstore." + setting.name())),
                                SettingList.VARIABLES.stream().map(Setting::name))
                        .toList());
    }

    @Test
    void everyOldNameIsThatOfASettingThatThereIs() {
        assertThat(SettingList.SETTINGS)
                .extracting(setting -> "kvstore." + setting.name())
                .containsAll(OldNames.CONTROL_PLANE.names().values());
    }

    private static Map<String, String> injected() {
        Map<String, String> found = new TreeMap<>();
        new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages(
                                "dev.kvstore.control",
                                "dev.kvstore.accounts",
                                "dev.kvstore.clusters",
                                "dev.kvstore.admin")
                        .stream()
                        .flatMap(type -> type.getCodeUnits().stream())
                        .flatMap(unit -> unit.getParameters().stream())
                        .filter(parameter -> parameter.isAnnotatedWith(ConfigProperty.class))
                        .map(parameter -> parameter.getAnnotationOfType(ConfigProperty.class))
                        .filter(property -> property.name().startsWith("kvstore."))
                        .forEach(property -> found.put(property.name(), property.defaultValue()));
        return found;
    }

    private static Map<String, String> inProperties() throws IOException {
        Properties properties = new Properties();
        try (InputStream file =
                Objects.requireNonNull(SettingsMainTest.class.getResourceAsStream("/application.properties"))) {
            properties.load(file);
        }
        Map<String, String> found = new TreeMap<>();
        for (Object value : properties.values()) {
            Matcher matcher = IN_PROPERTIES.matcher(value.toString());
            while (matcher.find()) {
                found.put(matcher.group(1), matcher.group(2));
            }
        }
        return found;
    }
}
