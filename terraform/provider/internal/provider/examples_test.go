package provider

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"kvstore.dev/terraform-provider-kvstore/internal/acctest"
)

// elsewhere are blocks of other providers in examples, and values of theirs.
var elsewhere = regexp.MustCompile(`(?ms)^(resource|ephemeral) "(azurerm|random)_.*?^}\n`)

// madeSecret is a secret that the provider random makes.
var madeSecret = regexp.MustCompile(`ephemeral\.random_password\.\w+\.result`)

// TestAccExamplesAreValid: all examples of resources and data sources make one configuration that Terraform takes. Those of
// imports are for resources that it has.
func TestAccExamplesAreValid(t *testing.T) {
	t.Parallel()
	acceptance(t)
	w := newWorkspace(t, &acctest.Server{})
	body := "resource \"kvstore_region\" \"us_1\" { name = \"us-1\" }\nvariable \"secret\" {\n  type      = string\n  ephemeral = true\n}\n"
	for _, pattern := range []string{
		"resources/*/resource.tf", "resources/*/import-by-string-id.tf", "data-sources/*/data-source.tf",
		"ephemeral-resources/*/ephemeral-resource.tf", "functions/*/function.tf",
	} {
		files, err := filepath.Glob(filepath.Join("../../examples", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("there is no example %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			body += elsewhere.ReplaceAllString(string(text), "")
		}
	}
	w.configure(t, madeSecret.ReplaceAllString(body, "var.secret"))
	w.terraform(t, nil, "validate")
}

// TestEveryTypeHasAnExample: what the provider has is shown.
func TestEveryTypeHasAnExample(t *testing.T) {
	t.Parallel()
	p := &kvstore{}
	for folder, count := range map[string]int{
		"resources": len(p.Resources(t.Context())), "data-sources": len(p.DataSources(t.Context())),
		"ephemeral-resources": len(p.EphemeralResources(t.Context())), "functions": len(p.Functions(t.Context())),
	} {
		entries, err := os.ReadDir(filepath.Join("../../examples", folder))
		if err != nil || len(entries) != count {
			t.Errorf("examples/%s has %d of %d: %v", folder, len(entries), count, err)
		}
	}
}
