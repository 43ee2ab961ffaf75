package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var (
	scriptClass    = regexp.MustCompile(`(?m)^class (\w+) extends cdktn\.(ComplexObject|TerraformResource|TerraformDataSource|TerraformProvider) \{$`)
	scriptWriter   = regexp.MustCompile(`(?m)^function (\w+)ToHclTerraform\(`)
	scriptArgument = regexp.MustCompile(`(?m)^ +(\w+): \{\s+value: .*?(?:struct|this)\.(_?\w+?)(?:\.internalValue)?\)?,\s+isBlock: (true|false),` +
		`\s+type: "(\w+)",\s+storageClassType: "(\w+)",`)
	scriptNested = regexp.MustCompile(`// (\w+) - computed: (true|false), optional: (?:true|false), required: (true|false)\s+` +
		`this\._\w+ = new (\w+)\(this,[^;]*?(, true)?\);`)
	scriptComputed = regexp.MustCompile(`// (\w+) - computed: true, optional: false, required: false\s+get \w+\(\) \{\s+return ([^;]+);`)
	scriptGetter   = regexp.MustCompile(`(Fn\.tolist\()?this\.get(\w+?)Attribute\(`)
)

var plainTypes = map[string]tftypes.Type{
	"string": tftypes.String, "boolean": tftypes.Bool, "number": tftypes.Number, "any": tftypes.DynamicPseudoType,
}

// What a getter of an attribute gives that only azurerm sets.
var computedTypes = map[string]tftypes.Type{
	"String": tftypes.String, "Boolean": tftypes.Bool, "Number": tftypes.Number,
	"List": tftypes.List{ElementType: tftypes.String}, "Fn.tolist(List": tftypes.Set{ElementType: tftypes.String},
	"NumberList": tftypes.List{ElementType: tftypes.Number}, "StringMap": tftypes.Map{ElementType: tftypes.String},
}

// readSchemas has those of the resources and data sources with these names, since Terraform reads all that it is given at each
// start. A name that azurerm does not have is left out: Terraform says so, with the line.
func readSchemas(scripts string, names []string, tables map[string]*resourceTable) *tfprotov5.GetProviderSchemaResponse {
	all := &tfprotov5.GetProviderSchemaResponse{
		// Terraform asks once in each run, and not for each instance.
		ServerCapabilities: &tfprotov5.ServerCapabilities{GetProviderSchemaOptional: true},
		ResourceSchemas:    map[string]*tfprotov5.Schema{}, DataSourceSchemas: map[string]*tfprotov5.Schema{},
	}
	read := func(folder string, table *resourceTable, found func(*tfprotov5.Schema)) {
		if script, err := os.ReadFile(filepath.Join(scripts, folder, "index.js")); err == nil {
			found(&tfprotov5.Schema{Block: parseScript(string(script), table)})
		}
	}
	read("provider", nil, func(schema *tfprotov5.Schema) { all.Provider = schema })
	for _, name := range names {
		folder := strings.ReplaceAll(strings.TrimPrefix(name, "azurerm_"), "_", "-")
		read(folder, tables[name], func(schema *tfprotov5.Schema) { all.ResourceSchemas[name] = schema })
		read("data-azurerm-"+folder, nil, func(schema *tfprotov5.Schema) { all.DataSourceSchemas[name] = schema })
	}
	return all
}

// script is the JavaScript that CDK Terrain generated from the schema of one resource. It lacks some facts: which optional
// arguments the provider fills in, which are sensitive, which are deprecated, which values are allowed.
type script struct {
	classes, writers map[string]string
	table            *resourceTable
}

func parseScript(text string, table *resourceTable) *tfprotov5.SchemaBlock {
	if table == nil {
		table = &resourceTable{}
	}
	s := script{map[string]string{}, map[string]string{}, table}
	body := func(from int) string {
		end := strings.Index(text[from:], "\n}\n")
		return text[from : from+end]
	}
	root := ""
	for _, at := range scriptClass.FindAllStringSubmatchIndex(text, -1) {
		name := text[at[2]:at[3]]
		s.classes[name] = body(at[1])
		if text[at[4]:at[5]] != "ComplexObject" {
			root = s.classes[name]
		}
	}
	for _, at := range scriptWriter.FindAllStringSubmatchIndex(text, -1) {
		s.writers[capitalized(text[at[2]:at[3]])] = body(at[1])
	}
	_, arguments, _ := strings.Cut(root, "synthesizeHclAttributes()")
	return s.block(arguments, root, "")
}

// block has the arguments that a function writes, and what else a class has; at is the path of the block, with a dot.
func (s script) block(arguments, class, at string) *tfprotov5.SchemaBlock {
	nested := map[string][]string{}
	for _, found := range scriptNested.FindAllStringSubmatch(class, -1) {
		nested[found[1]] = found
	}
	block := &tfprotov5.SchemaBlock{}
	var settable []string
	for _, found := range scriptArgument.FindAllStringSubmatch(arguments, -1) {
		name := found[1]
		settable = append(settable, name)
		if found[3] == "false" {
			block.Attributes = append(block.Attributes, s.attribute(found, class, at+name))
			continue
		}
		inner := s.nested(found, nested[name], at+name)
		if s.table.filledIn[at+name] {
			// A block that azurerm fills in is an attribute in its schema: a list or set of objects.
			block.Attributes = append(block.Attributes,
				&tfprotov5.SchemaAttribute{Name: name, Type: inner.ValueType(), Optional: true, Computed: true})
		} else {
			block.BlockTypes = append(block.BlockTypes, inner)
		}
	}
	s.addComputed(block, class, nested, settable)
	return block
}

func (s script) attribute(found []string, class, path string) *tfprotov5.SchemaAttribute {
	optional := class == "" || strings.Contains(class, "reset"+capitalized(strings.TrimPrefix(found[2], "_"))+"()")
	return &tfprotov5.SchemaAttribute{
		Name: found[1], Type: argumentType(found[4], found[5]), Optional: optional, Required: !optional,
		Computed: path == "id" || s.table.filledIn[path], WriteOnly: strings.HasSuffix(found[1], "_wo"),
	}
}

func argumentType(kind, storage string) tftypes.Type {
	if kind == "simple" {
		return plainTypes[storage]
	}
	element, listed := strings.CutSuffix(storage, "ListList")
	of := plainTypes[strings.TrimSuffix(strings.TrimSuffix(element, "List"), "Map")]
	if listed {
		of = tftypes.List{ElementType: of}
	}
	return collection(kind, of)
}

func collection(kind string, of tftypes.Type) tftypes.Type {
	switch kind {
	case "set":
		return tftypes.Set{ElementType: of}
	case "map":
		return tftypes.Map{ElementType: of}
	}
	return tftypes.List{ElementType: of}
}

func (s script) nested(found, nesting []string, path string) *tfprotov5.SchemaNestedBlock {
	object := strings.TrimSuffix(found[5], "List")
	nested := &tfprotov5.SchemaNestedBlock{
		TypeName: found[1], Nesting: tfprotov5.SchemaNestedBlockNestingModeList,
		Block: s.block(s.writers[object], s.classes[object+"OutputReference"], path+"."),
	}
	if found[1] == "timeouts" {
		nested.Nesting = tfprotov5.SchemaNestedBlockNestingModeSingle
		return nested
	}
	if found[4] == "set" {
		nested.Nesting = tfprotov5.SchemaNestedBlockNestingModeSet
	}
	if nesting != nil && nesting[3] == "true" {
		nested.MinItems = 1
	}
	if nesting != nil && strings.HasSuffix(nesting[4], "OutputReference") {
		nested.MaxItems = 1
	}
	if most, is := s.table.most[path]; is {
		nested.MaxItems = most
	}
	return nested
}

// addComputed adds the attributes that only azurerm sets.
func (s script) addComputed(block *tfprotov5.SchemaBlock, class string, nested map[string][]string, settable []string) {
	add := func(name string, of tftypes.Type) {
		if !slices.Contains(settable, name) {
			block.Attributes = append(block.Attributes, &tfprotov5.SchemaAttribute{Name: name, Type: of, Computed: true})
		}
	}
	for _, found := range scriptComputed.FindAllStringSubmatch(class, -1) {
		if getter := scriptGetter.FindStringSubmatch(found[2]); getter != nil {
			add(found[1], computedTypes[getter[1]+getter[2]])
		}
	}
	for name, nesting := range nested {
		if nesting[2] == "true" {
			kind := "list"
			if nesting[5] != "" {
				kind = "set"
			}
			object := strings.TrimSuffix(strings.TrimSuffix(nesting[4], "List"), "OutputReference")
			add(name, collection(kind, s.block("", s.classes[object+"OutputReference"], "").ValueType()))
		}
	}
}

func capitalized(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
