package dev.kvstore.terraform.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import dev.kvstore.terraform.check.Hcl.HclBlock;
import dev.kvstore.terraform.check.Terraform.TerraformResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Packer template of machines, as far as it can be judged without Packer and Azure. */
class MachineImageTest {
    private static final Pattern PINNED = Pattern.compile("version = \"= \\d+\\.\\d+\\.\\d+\"");
    private static final Pattern FILE = Pattern.compile("\\$\\{path\\.root}/([^\"]+)");
    private static final Pattern USED = Pattern.compile("\\bvar\\.(\\w+)");
    private static final Pattern FILLED = Pattern.compile("(?m)^    (\\w+) += ");

    /** The variables that each build has its own of. */
    private static final Set<String> OF_A_BUILD = Set.of("archive", "image_version");

    @TempDir
    Path folder;

    private Path place;
    private String template;
    private Map<String, HclBlock> variables;

    @BeforeEach
    void read() throws IOException {
        place = Home.current().path().resolve("deploy/machine/image");
        template = Files.readString(place.resolve("kvstore.pkr.hcl"));
        variables = Hcl.blocks(template).stream()
                .filter(block -> block.type().equals("variable"))
                .collect(Collectors.toMap(HclBlock::label, Function.identity()));
    }

    @Test
    void itsSyntaxAndFormAreThoseOfHcl() throws Exception {
        assumeTrue(Terraform.isInstalled(), "missing: terraform, of https://developer.hashicorp.com/terraform");

        assertThat(format(template).said()).isEmpty();

        assertThat(format(template.replace("build {", "build {{")).isGood()).isFalse();
    }

    @Test
    void pluginAndBaseImageAreOfOneVersion() {
        assertThat(PINNED.matcher(template).results()).hasSize(1);
        assertThat(Objects.requireNonNull(variables.get("ubuntu_version")).text("default"))
                .matches("24\\.04\\.\\d{9}");
        assertThat(template).doesNotContain("latest");
    }

    @Test
    void filesThatItNamesAreThere() {
        List<String> files =
                FILE.matcher(template).results().map(file -> file.group(1)).toList();

        assertThat(files).containsExactly("install.sh");
        assertThat(place.resolve("install.sh")).isExecutable();
    }

    @Test
    void variablesAreUsedAndSayWhatTheyAre() {
        assertThat(USED.matcher(template).results().map(used -> used.group(1)).collect(Collectors.toSet()))
                .isEqualTo(variables.keySet());
        assertThat(variables.values())
                .allSatisfy(variable -> assertThat(variable.text("description"))
                        .as(variable.label())
                        .endsWith("."));
    }

    @Test
    void theModuleFillsWhatHasNoDefaultButForWhatEachBuildHasItsOwnOf() throws IOException {
        String output = Files.readString(Home.current().path().resolve("terraform/modules/machine-image/outputs.tf"));
        String filled = output.substring(output.indexOf("output \"packer_variables\""));
        Set<String> names = FILLED.matcher(filled)
                .results()
                .map(MatchResult::group)
                .map(line -> line.replaceAll("\\W", ""))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(variables.keySet()).containsAll(names);
        names.addAll(OF_A_BUILD);
        assertThat(names)
                .containsAll(variables.values().stream()
                        .filter(variable -> !variable.arguments().containsKey("default"))
                        .map(HclBlock::label)
                        .toList());
    }

    /** What {@code terraform fmt} would change; it reads any HCL. */
    private TerraformResult format(String text) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("template.tf"), text);
        return new Terraform(Map.of("TF_CLI_CONFIG_FILE", "/dev/null"))
                .run(folder, List.of("fmt", "-no-color", "-check", "-diff", "template.tf"));
    }
}
