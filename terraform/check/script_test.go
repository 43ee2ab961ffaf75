package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
)

// The forms of the generated scripts, on a resource that does not exist.
const thing = `function thingPartToHclTerraform(struct) {
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
`

// said are the attributes and blocks of a schema, in words.
func said(block *tfprotov5.SchemaBlock, at string) (all []string) {
	for _, each := range block.Attributes {
		words := at + each.Name
		for word, is := range map[string]bool{" required": each.Required, " optional": each.Optional} {
			if is {
				words += word
			}
		}
		if each.Computed {
			words += " computed"
		}
		if each.WriteOnly {
			words += " write-only"
		}
		all = append(all, words+" "+strings.ReplaceAll(each.Type.String(), "tftypes.", ""))
	}
	for _, each := range block.BlockTypes {
		all = append(all, strings.Join([]string{at + each.TypeName, each.Nesting.String(), "from", string(rune('0' + each.MinItems)), "to", string(rune('0' + each.MaxItems))}, " "))
		all = append(all, said(each.Block, at+each.TypeName+".")...)
	}
	slices.Sort(all)
	return all
}

func TestASchemaIsReadFromTheScript(t *testing.T) {
	found := said(parseScript(thing, nil), "")
	wanted := []string{
		"name required String",
		"part LIST from 1 to 1",
		"part.size required Number",
		"part.state computed String",
		"secret_wo optional write-only String",
		`status computed List[Object["codes":List[Number]]]`,
		"tag_list optional Set[String]",
	}
	if !slices.Equal(found, wanted) {
		t.Error(strings.Join(found, "\n"))
	}
}

func TestFactsOfTheTableComplementTheSchema(t *testing.T) {
	filled := said(parseScript(thing, table(t, "tag_list  filled in\n  part.size  filled in\n  part  at most 8")), "")
	for _, wanted := range []string{"tag_list optional computed Set[String]", "part.size required computed Number", "part LIST from 1 to 8"} {
		if !slices.Contains(filled, wanted) {
			t.Error(strings.Join(filled, "\n"))
		}
	}
	asAttribute := said(parseScript(thing, table(t, "part  filled in")), "")
	if !slices.Contains(asAttribute, `part optional computed List[Object["size":Number, "state":String]]`) {
		t.Error(strings.Join(asAttribute, "\n"))
	}
}
