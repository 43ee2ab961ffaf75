package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// TestProblemsAreShownAtTheirAttribute: a field of the service is an attribute, however deep; one that Terraform does not have is
// told without a place.
func TestProblemsAreShownAtTheirAttribute(t *testing.T) {
	t.Parallel()
	var schema resource.SchemaResponse
	r := newAccountResource().(*accountResource)
	r.Schema(t.Context(), resource.SchemaRequest{}, &schema)
	m := &accountModel{Replicas: map[string]replicaModel{"us-1": {}, "eu-1": {}}}
	for field, want := range map[string]string{
		"homeRegion":                  "home_region",
		"readThrough.from":            "read_through.from",
		"allowedRegions[1]":           "allowed_regions",
		"replicas[0].endpoint":        `replicas["eu-1"].endpoint`,
		"replicas[1].createContainer": `replicas["us-1"].create_container`,
		"replicas[1].region":          `replicas["us-1"]`,
		"replicas[7].endpoint":        "replicas",
		"If-Match":                    "",
	} {
		var diags diag.Diagnostics
		problem := &client.Problem{Status: 400, Errors: []client.FieldError{{Field: field, Detail: "is bad"}}}
		r.report(t.Context(), &diags, m, "change", schema.Schema, problem)
		if want == "" {
			want = field
		} else if at, ok := diags[0].(diag.DiagnosticWithPath); !ok || !strings.HasPrefix(want, at.Path().String()) {
			t.Errorf("%s is shown at another place: %v", field, diags)
		}
		if diags[0].Detail() != want+" is bad" {
			t.Errorf("%s: %s", field, diags[0].Detail())
		}
	}
}

func TestHiddenThingsAreNoDeletions(t *testing.T) {
	t.Parallel()
	r := newTenantResource().(*tenantResource)
	r.session = &session{caller: &client.Caller{Name: "ci", Role: "viewer"}}
	var schema resource.SchemaResponse
	r.Schema(t.Context(), resource.SchemaRequest{}, &schema)
	var diags diag.Diagnostics
	r.report(t.Context(), &diags, &tenantModel{}, "read", schema.Schema, &client.Problem{Status: 404})
	if !diags.HasError() || !strings.Contains(diags[0].Detail(), "ci (role viewer)") {
		t.Error(diags)
	}
}
