package main

import (
	_ "embed"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// The part of a module's page that people write; the rest is generated.
const header = "_header.md"

//go:embed readme.md.tmpl
var readMeText string

var (
	readMeTemplate = template.Must(template.New("README.md").Parse(readMeText))
	lineBreak      = regexp.MustCompile(`\s*\n\s*`)
)

// declared is a variable or an output of a module.
type declared struct {
	Label, Description, Type, Default string
	Sensitive                         bool
}

// readMe makes the text of a module's README: its header, and tables of what its code declares.
func readMe(folder string) (string, error) {
	head, err := os.ReadFile(filepath.Join(folder, header))
	if err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.tf"))
	if err != nil {
		return "", err
	}
	page := struct {
		Header, Resources           string
		Required, Optional, Outputs []declared
	}{Header: strings.TrimSpace(string(head))}
	var resources []string
	for _, file := range files {
		body, content, err := readHcl(file)
		if err != nil {
			return "", err
		}
		for _, block := range body.Blocks {
			switch block.Type {
			case "variable":
				if variable := declaration(block, content); variable.Default == "" {
					page.Required = append(page.Required, variable)
				} else {
					page.Optional = append(page.Optional, variable)
				}
			case "output":
				output := declaration(block, content)
				output.Description = strings.ReplaceAll(output.Description, "\n", " ")
				page.Outputs = append(page.Outputs, output)
			case "resource", "data":
				resources = append(resources, "`"+block.Labels[0]+"`")
			}
		}
	}
	for _, each := range [][]declared{page.Required, page.Optional, page.Outputs} {
		slices.SortFunc(each, func(one, other declared) int { return strings.Compare(one.Label, other.Label) })
	}
	slices.Sort(resources)
	page.Resources = strings.Join(slices.Compact(resources), ", ")
	var text strings.Builder
	err = readMeTemplate.Execute(&text, page)
	return text.String(), err
}

func declaration(block *hclsyntax.Block, content []byte) declared {
	argument := func(name string) string {
		if argument, is := block.Body.Attributes[name]; is {
			return strings.ReplaceAll(string(argument.Expr.Range().SliceBytes(content)), "\n  ", "\n")
		}
		return ""
	}
	made := declared{Label: block.Labels[0], Type: argument("type"), Default: lineBreak.ReplaceAllString(argument("default"), " ")}
	if argument, is := block.Body.Attributes["description"]; is {
		if value, diagnostics := argument.Expr.Value(nil); !diagnostics.HasErrors() {
			made.Description = strings.TrimSpace(value.AsString())
		}
	}
	made.Sensitive = argument("sensitive") == "true"
	return made
}

// Long is whether the type has several lines.
func (d declared) Long() bool { return strings.Contains(d.Type, "\n") }

// readHcl gives the blocks of a file, and its text.
func readHcl(file string) (*hclsyntax.Body, []byte, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	parsed, diagnostics := hclparse.NewParser().ParseHCL(content, file)
	if diagnostics.HasErrors() {
		return nil, nil, diagnostics
	}
	return parsed.Body.(*hclsyntax.Body), content, nil
}
