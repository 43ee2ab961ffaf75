package dev.kvstore.control.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.kvstore.settings.OldNames;
import dev.kvstore.settings.ProgramVariables;
import dev.kvstore.settings.Setting;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Command;

final class SettingsMainTest {
    private static final Pattern IN_PROPERTIES = Pattern.compile("\\$\\{(kvstore\\.[a-z.-]+):([^}]*)}");

    @Test
    void everySettingThatIsInjectedIsDeclaredAndHasNoOtherDefault() {
        Map<String, String> injected = injected();
        // Two are flags', and two are secrets that only the environment has.
        injected.keySet()
                .removeIf(name -> List.of("kvstore.storage-endpoints", "kvstore.blob-dns-suffix")
                                .contains(name)
                        || name.endsWith("-token"));

        assertThat(injected).isNotEmpty();
        assertThat(ControlPlaneSettings.DECLARED.names()).containsAll(injected.keySet());
        assertThat(injected.values()).containsOnly(ConfigProperty.UNCONFIGURED_VALUE);
    }

    @Test
    void theApplicationsFileRepeatsTheDefaults() throws IOException {
        Map<String, String> declared = ControlPlaneSettings.DECLARED.table().stream()
                .collect(Collectors.toMap(setting -> "kvstore." + setting.name(), Setting::standard));

        assertThat(inProperties()).isNotEmpty();
        assertThat(declared).containsAllEntriesOf(inProperties());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            max-accounts-per-tenant | many        | cannot be "many"; give a number up to 2147483647
            max-accounts-per-tenant | 99999999999 | cannot be "99999999999"; give a number up to 2147483647
            max-connections         | 0           | must be 1 or more, not 0
            max-new-connections     | 1000001     | must be 1 to 1000000, not 1000001
            oidc.enabled            | ture        | cannot be "ture"; give true or false
            oidc.audience           | ''          | must not be empty; give a text
            proxy-protocol-from     | *           | cannot be "*"; give none, or IP addresses and networks, as in 10.0.9.0/24,fd00:9::/64
            tls-reload-interval     | soon        | cannot be "soon"; give a time such as 30s
            """)
    void aValueThatCannotBeIsNamedWithItsSettingAndWhatCan(String name, String value, String flaw) {
        SmallRyeConfig given = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(Map.of("kvstore." + name, value), "test", 100))
                .build();

        assertThat(ControlPlaneSettings.DECLARED.flaws(given)).containsExactly("kvstore." + name + ": " + flaw);
    }

    @Test
    void everyDefaultCanBeGivenByHand() {
        Map<String, String> defaults = ControlPlaneSettings.DECLARED.table().stream()
                .collect(Collectors.toMap(setting -> "kvstore." + setting.name(), Setting::standard));

        assertThat(ControlPlaneSettings.DECLARED.flaws(new SmallRyeConfigBuilder()
                        .withSources(new PropertiesConfigSource(defaults, "test", 100))
                        .build()))
                .isEmpty();
    }

    @Test
    void everyVariableOfTheHelpIsInTheTable() {
        String help = String.join("\n", Flags.class.getAnnotation(Command.class).footer());

        assertThat(SettingsMain.VARIABLES)
                .hasSize(4)
                .extracting(Setting::name)
                .allSatisfy(name -> assertThat(help).contains(name));
        assertThat(Pattern.compile("KVSTORE_\\w+").matcher(help).results().map(found -> found.group()))
                .allSatisfy(name -> assertThat(SettingsMain.VARIABLES)
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
                                ControlPlaneSettings.DECLARED.names().stream().map(OldNames::variable),
                                SettingsMain.VARIABLES.stream().map(Setting::name))
                        .toList());
    }

    @Test
    void everyOldNameIsThatOfASettingThatThereIs() {
        assertThat(ControlPlaneSettings.DECLARED.names())
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
