package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// The Packer template of machines, as far as it can be judged without Packer and Azure.
const packerTemplate = "../../deploy/machine/image/kvstore.pkr.hcl"

// Each build has its own of these.
var ofABuild = []string{"archive", "image_version"}

func TestThePackerTemplate(t *testing.T) {
	body, content, err := readHcl(packerTemplate)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(hclwrite.Format(content), content) {
		t.Error("it is not formatted")
	}
	text := string(content)
	if pinned := regexp.MustCompile(`version = "= \d+\.\d+\.\d+"`).FindAllString(text, -1); len(pinned) != 1 || strings.Contains(text, "latest") {
		t.Error("the plugin is not of one version", pinned)
	}
	for _, file := range regexp.MustCompile(`\$\{path\.root}/([^"]+)`).FindAllStringSubmatch(text, -1) {
		if info, err := os.Stat(filepath.Join(filepath.Dir(packerTemplate), file[1])); err != nil || file[1] != "install.sh" || info.Mode()&0o111 == 0 {
			t.Error(file[1], err)
		}
	}
	var declared, withoutDefault []string
	for _, block := range body.Blocks {
		if block.Type == "variable" {
			declared = append(declared, block.Labels[0])
			if !strings.HasSuffix(literal(block, "description"), ".") {
				t.Error(block.Labels[0], "does not say what it is")
			}
			if block.Body.Attributes["default"] == nil {
				withoutDefault = append(withoutDefault, block.Labels[0])
			}
			if block.Labels[0] == "ubuntu_version" && !regexp.MustCompile(`^24\.04\.\d{9}$`).MatchString(literal(block, "default")) {
				t.Error("the base image is not of one version")
			}
		}
	}
	var used []string
	for _, name := range regexp.MustCompile(`\bvar\.(\w+)`).FindAllStringSubmatch(text, -1) {
		used = append(used, name[1])
	}
	slices.Sort(used)
	slices.Sort(declared)
	if used = slices.Compact(used); !slices.Equal(used, declared) {
		t.Error("declared", declared, "used", used)
	}
	filled := filledByTheModule(t)
	for _, name := range filled {
		if !slices.Contains(declared, name) {
			t.Error("the module fills", name)
		}
	}
	for _, name := range withoutDefault {
		if !slices.Contains(append(filled, ofABuild...), name) {
			t.Error("nothing fills", name)
		}
	}
}

func literal(block *hclsyntax.Block, name string) string {
	value, _ := block.Body.Attributes[name].Expr.Value(nil)
	return value.AsString()
}

func filledByTheModule(t *testing.T) (names []string) {
	output, err := os.ReadFile("../modules/machine-image/outputs.tf")
	if err != nil {
		t.Fatal(err)
	}
	_, filled, _ := strings.Cut(string(output), `output "packer_variables"`)
	for _, line := range regexp.MustCompile(`(?m)^    (\w+) += `).FindAllStringSubmatch(filled, -1) {
		names = append(names, line[1])
	}
	return names
}
