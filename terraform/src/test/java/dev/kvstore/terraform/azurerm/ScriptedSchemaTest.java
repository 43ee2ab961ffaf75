package dev.kvstore.terraform.azurerm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.terraform.plugin.Schema.Attribute;
import dev.kvstore.terraform.plugin.Schema.Block;
import dev.kvstore.terraform.plugin.Schema.NestedBlock;
import dev.kvstore.terraform.plugin.Schema.NestedBlock.NestingMode;
import org.junit.jupiter.api.Test;

/** The forms of the generated scripts, on a resource that does not exist. */
class ScriptedSchemaTest {
    private static final String SCRIPT = """
            function thingPartToHclTerraform(struct) {
                const attrs = {
                    size: {
                        value: cdktn.numberToHclTerraform(struct.size),
                        isBlock: false,
                        type: "simple",
                        storageClassType: "number",
                    },
                };
            }
            class ThingPartOutputReference extends cdktn.ComplexObject {
                get size() {
                    return this.getNumberAttribute('size');
                }
                // state - computed: true, optional: false, required: false
                get state() {
                    return this.getStringAttribute('state');
                }
            }
            class ThingStatusOutputReference extends cdktn.ComplexObject {
                // codes - computed: true, optional: false, required: false
                get codes() {
                    return this.getNumberListAttribute('codes');
                }
            }
            class Thing extends cdktn.TerraformResource {
                constructor(scope, id, config) {
                    // status - computed: true, optional: false, required: false
                    this._status = new ThingStatusList(this, "status", false);
                    // part - computed: false, optional: false, required: true
                    this._part = new ThingPartOutputReference(this, "part");
                }
                resetTagList() {
                    this._tagList = undefined;
                }
                resetSecretWo() {
                }
                resetPart() {
                }
                synthesizeHclAttributes() {
                    const attrs = {
                        name: {
                            value: cdktn.stringToHclTerraform(this._name),
                            isBlock: false,
                            type: "simple",
                            storageClassType: "string",
                        },
                        secret_wo: {
                            value: cdktn.stringToHclTerraform(this._secretWo),
                            isBlock: false,
                            type: "simple",
                            storageClassType: "string",
                        },
                        tag_list: {
                            value: cdktn.listMapperHcl(cdktn.stringToHclTerraform, false)(this._tagList),
                            isBlock: false,
                            type: "set",
                            storageClassType: "stringList",
                        },
                        part: {
                            value: thingPartToHclTerraform(this._part.internalValue),
                            isBlock: true,
                            type: "list",
                            storageClassType: "ThingPartList",
                        },
                    };
                }
            }
            Thing.tfResourceType = "azurerm_thing";
            """;

    private final ScriptedSchema script = new ScriptedSchema(SCRIPT);
    private final Block block = script.schema().getBlock();

    @Test
    void theResourceHasItsName() {
        assertThat(script.type()).isEqualTo("azurerm_thing");
    }

    @Test
    void anArgumentThatCannotBeResetIsRequired() {
        assertThat(attribute("name").getRequired()).isTrue();
        assertThat(attribute("tag_list").getRequired()).isFalse();
        assertThat(attribute("tag_list").getOptional()).isTrue();
    }

    @Test
    void collectionsHaveTheTypesOfTheirElements() {
        assertThat(attribute("tag_list").getType().toStringUtf8()).isEqualTo("[\"set\",\"string\"]");
    }

    @Test
    void aNameThatEndsWithWoIsWriteOnly() {
        assertThat(attribute("secret_wo").getWriteOnly()).isTrue();
        assertThat(attribute("name").getWriteOnly()).isFalse();
    }

    @Test
    void aRequiredBlockOfWhichThereIsOneIsThatOnce() {
        NestedBlock part = block.getBlockTypes(0);

        assertThat(part.getTypeName()).isEqualTo("part");
        assertThat(part.getNesting()).isEqualTo(NestingMode.LIST);
        assertThat(part.getMinItems()).isEqualTo(1);
        assertThat(part.getMaxItems()).isEqualTo(1);
        assertThat(part.getBlock().getAttributesList())
                .extracting(Attribute::getName, Attribute::getRequired, Attribute::getComputed)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("size", true, false),
                        org.assertj.core.groups.Tuple.tuple("state", false, true));
    }

    @Test
    void aComputedListOfObjectsIsAnAttribute() {
        assertThat(attribute("status").getType().toStringUtf8())
                .isEqualTo("[\"list\",[\"object\",{\"codes\":[\"list\",\"number\"]}]]");
        assertThat(attribute("status").getComputed()).isTrue();
    }

    private Attribute attribute(String name) {
        return block.getAttributesList().stream()
                .filter(attribute -> attribute.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
