package dev.kvstore.terraform.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLayoutTest {
    private static final String VERSIONS = """
            terraform {
              required_version = ">= 1.11, < 2.0"

              required_providers {
                azurerm = {
                  source  = "hashicorp/azurerm"
                  version = ">= 4.73.0, < 5.0.0"
                }
              }
            }
            """;

    @TempDir
    Path folder;

    private FolderLayout layout;

    @BeforeEach
    void module() throws IOException {
        write("terraform.tf", VERSIONS);
        write("variables.tf", "variable \"name\" {\n  description = \"Its name.\"\n  type        = string\n}\n");
        write("locals.tf", "");
        write("main.tf", "resource \"azurerm_lb\" \"this\" {\n  name = var.name\n}\n");
        write("outputs.tf", "output \"name\" {\n  description = \"The name.\"\n  value       = var.name\n}\n");
        write("_header.md", "# module\n");
        ReadMe.of(folder).write();
        layout = new FolderLayout(folder, "modules/it");
    }

    @Test
    void aWholeModuleHasNoProblem() throws IOException {
        assertThat(layout.problems()).isEmpty();
    }

    @Test
    void aMissingFileIsNamed() throws IOException {
        Files.delete(folder.resolve("outputs.tf"));

        assertThat(layout.problems()).containsExactly("outputs.tf is missing");
    }

    @Test
    void anotherPinOfAzurermIsFound() throws IOException {
        write("terraform.tf", VERSIONS.replace("< 5.0.0", "< 6.0.0"));

        assertThat(layout.problems()).singleElement().asString().contains("pinned as >= 4.73.0, < 5.0.0");
    }

    @Test
    void anotherVersionOfTerraformIsFound() throws IOException {
        write("terraform.tf", VERSIONS.replace(">= 1.11", ">= 1.5"));

        assertThat(layout.problems()).singleElement().asString().contains(">= 1.11, < 2.0");
    }

    @Test
    void aProviderBlockInAModuleIsFoundAndInAnExampleItIsNot() throws IOException {
        write("main.tf", "provider \"azurerm\" {\n  features {}\n}\n");

        assertThat(layout.problems()).singleElement().asString().contains("no provider block");
        assertThat(new FolderLayout(folder, "examples/it").problems()).isEmpty();
    }

    @Test
    void aReadMeThatIsBehindTheCodeIsFoundAndWritten() throws IOException {
        write("outputs.tf", "output \"id\" {\n  description = \"The id.\"\n  value       = 1\n}\n");

        assertThat(layout.problems()).singleElement().asString().contains("./kv terraform check --write");

        ReadMe.of(folder).write();
        assertThat(layout.problems()).isEmpty();
    }

    @Test
    void theReadMeHasHeaderInputsOutputsAndResources() throws IOException {
        assertThat(ReadMe.of(folder).text()).isEqualTo("""
                        <!-- ./kv terraform check --write makes this page of _header.md and the module's code. -->
                        # module

                        ## Required inputs

                        ### name

                        Its name.

                        Type: `string`

                        ## Optional inputs

                        None.

                        ## Outputs

                        | name | is |
                        |---|---|
                        | `name` | The name. |

                        ## Resources

                        `azurerm_lb`
                        """);
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text);
    }
}
