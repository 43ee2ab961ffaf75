package dev.kvstore.terraform.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.terraform.check.Hcl.HclBlock;
import java.util.List;
import org.junit.jupiter.api.Test;

class HclTest {
    private static final List<HclBlock> BLOCKS = Hcl.blocks("""
            # A comment.
            variable "size" {
              description = "How \\"large\\", as $${name}."
              type = object({
                width  = number
                height = optional(number, 1)
              })
              default = {}

              validation {
                condition     = true
                error_message = "description = none"
              }
            }

            variable "long" {
              description = <<-EOT
                Two lines
                of text.
              EOT
              type        = string
            }

            output "id" {
              value     = azurerm_lb.this.id
              sensitive = true
            }

            provider "kvstore" {}
            """);

    @Test
    void blocksHaveTheirTypeAndFirstLabel() {
        assertThat(BLOCKS)
                .extracting(HclBlock::type, HclBlock::label)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("variable", "size"),
                        org.assertj.core.groups.Tuple.tuple("variable", "long"),
                        org.assertj.core.groups.Tuple.tuple("output", "id"),
                        org.assertj.core.groups.Tuple.tuple("provider", "kvstore"));
    }

    @Test
    void aTextLosesItsQuotes() {
        assertThat(BLOCKS.get(0).text("description")).isEqualTo("How \"large\", as ${name}.");
    }

    @Test
    void aTypeOfSeveralLinesIsWhole() {
        assertThat(BLOCKS.get(0).arguments().get("type"))
                .isEqualTo("object({\n  width  = number\n  height = optional(number, 1)\n})");
        assertThat(BLOCKS.get(0).arguments().get("default")).isEqualTo("{}");
    }

    @Test
    void aTextOfSeveralLinesIsWhole() {
        assertThat(BLOCKS.get(1).text("description")).isEqualTo("Two lines\nof text.");
        assertThat(BLOCKS.get(1).arguments().get("type")).isEqualTo("string");
    }

    @Test
    void argumentsOfBlocksWithinAreNotItsOwn() {
        assertThat(BLOCKS.get(0).arguments()).doesNotContainKey("condition");
    }
}
