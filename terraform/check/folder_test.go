package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const versions = `terraform {
  required_version = ">= 1.11, < 2.0"

  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = ">= 4.73.0, < 5.0.0"
    }
  }
}
`

// A module with a variable of each form.
const variables = `variable "size" {
  description = "How \"large\", as $${name}."
  type = object({
    width  = number
    height = optional(number, 1)
  })
  default = {
    width = 1
  }

  validation {
    condition     = true
    error_message = "description = none"
  }
}

variable "name" {
  description = <<-EOT
    Its name,
    in full.
  EOT
  type        = string
}
`

const page = "<!-- ./kv terraform check --write makes this page of _header.md and the module's code. -->\n" +
	"# module\n\n## Required inputs\n\n### name\n\nIts name,\nin full.\n\nType: `string`\n\n" +
	"## Optional inputs\n\n### size\n\nHow \"large\", as ${name}.\n\n" +
	"```hcl\nobject({\n  width  = number\n  height = optional(number, 1)\n})\n```\n\nDefault: `{ width = 1 }`\n\n" +
	"## Outputs\n\n| name | is |\n|---|---|\n| `name` | The name. Sensitive. |\n\n## Resources\n\n`azurerm_lb`\n"

// module makes one that has no problem, in terraform/modules/it of a checkout.
func module(t *testing.T) (checkout, folder string) {
	t.Helper()
	checkout = t.TempDir()
	folder = filepath.Join(checkout, "terraform/modules/it")
	for file, text := range map[string]string{
		"terraform.tf": versions, "variables.tf": variables, "locals.tf": "", "_header.md": "# module\n", "README.md": page,
		"main.tf":    "resource \"azurerm_lb\" \"this\" {\n  name = var.name\n}\n",
		"outputs.tf": "output \"name\" {\n  description = \"The name.\"\n  value       = var.name\n  sensitive   = true\n}\n",
	} {
		write(t, filepath.Join(folder, file), text)
	}
	return checkout, folder
}

func TestAWholeModuleHasNoProblem(t *testing.T) {
	_, folder := module(t)
	if problems := layoutProblems(folder, true); len(problems) > 0 {
		t.Error(problems)
	}
}

func TestProblemsOfTheLayoutAreNamed(t *testing.T) {
	for _, each := range []struct{ file, text, problem string }{
		{"terraform.tf", strings.ReplaceAll(versions, "< 5.0.0", "< 6.0.0"), "azurerm must be pinned as >= 4.73.0, < 5.0.0"},
		{"terraform.tf", strings.ReplaceAll(versions, ">= 1.11", ">= 1.5"), `must have required_version = ">= 1.11, < 2.0"`},
		{"main.tf", "provider \"azurerm\" {\n  features {}\n}\n", "a module has no provider block"},
		{"locals.tf", "output \"id\" {\n  value = 1\n}\n", "./kv terraform check --write writes it"},
		{"locals.tf", "output {{", "locals.tf:1"},
	} {
		_, folder := module(t)
		write(t, filepath.Join(folder, each.file), each.text)
		if problems := layoutProblems(folder, true); len(problems) != 1 || !strings.Contains(problems[0], each.problem) {
			t.Errorf("%v, not %s", problems, each.problem)
		}
	}
	_, folder := module(t)
	if err := os.Remove(filepath.Join(folder, "outputs.tf")); err != nil {
		t.Fatal(err)
	}
	if problems := layoutProblems(folder, true); !slices.Equal(problems, []string{"outputs.tf is missing"}) {
		t.Error(problems)
	}
}

func TestAnExampleMayHaveAProviderBlock(t *testing.T) {
	_, folder := module(t)
	write(t, filepath.Join(folder, "main.tf"), "provider \"azurerm\" {\n  features {}\n}\n")
	if problems := layoutProblems(folder, false); len(problems) > 0 {
		t.Error(problems)
	}
}

func TestReadMesAreWritten(t *testing.T) {
	checkout, folder := module(t)
	write(t, filepath.Join(folder, "README.md"), "old")
	if err := run([]string{"--checkout", checkout, "--write", folder}); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(filepath.Join(folder, "README.md")); string(text) != page {
		t.Error(string(text))
	}
}

func TestAFolderIsKnownThroughSymbolicLinks(t *testing.T) {
	checkout, folder := module(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Fatal(err)
	}
	if names, err := chosen(filepath.Join(checkout, "terraform"), []string{link}); err != nil || !slices.Equal(names, []string{"modules/it"}) {
		t.Error(names, err)
	}
}

func TestWrongArgumentsAreAnsweredWithWhatIsRight(t *testing.T) {
	requireTerraform(t)
	checkout, folder := module(t)
	for _, each := range []struct {
		arguments []string
		said      string
	}{
		{[]string{filepath.Join(checkout, "terraform/modules/other")}, "is none of the modules and examples: modules/it"},
		{[]string{"--nonsense"}, "not defined: -nonsense"},
		{[]string{"--azurerm", "no/such/provider"}, "--azurerm names a provider's binary"},
		{[]string{"--azurerm", filepath.Join(folder, "main.tf")}, "permission denied"},
	} {
		for _, needed := range []string{"terraform/examples", "terraform/testing", "deploy"} {
			if err := os.MkdirAll(filepath.Join(checkout, needed), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		err := run(append([]string{"--checkout", checkout}, each.arguments...))
		if _, is := err.(usageError); !is || !strings.Contains(err.Error(), each.said) {
			t.Errorf("%v: %v", each.arguments, err)
		}
	}
}

func TestModulesComeBeforeExamples(t *testing.T) {
	all := folders("..")
	if slices.Index(all, "modules/region") > slices.Index(all, "examples/one-region") || !slices.Contains(all, "modules/cluster-vmss") {
		t.Error(all)
	}
}
