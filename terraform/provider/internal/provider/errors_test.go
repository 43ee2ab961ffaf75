package provider

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// canary breaks every rule. A practitioner may have put a secret anywhere, and Terraform hides no error's text.
const canary = "?sv=1&sig=CANARY--../\x00"

type ruled interface{ StringValidators() []validator.String }

// TestNoRuleQuotesWhatItRefuses: no rule of an attribute says the value that it refuses.
func TestNoRuleQuotesWhatItRefuses(t *testing.T) {
	t.Parallel()
	ctx, rules := context.Background(), 0
	check := func(where string, attribute any) {
		one, ok := attribute.(ruled)
		if !ok {
			return
		}
		for _, rule := range one.StringValidators() {
			rules++
			refused := validator.StringResponse{}
			func() {
				// Rules that look at other attributes have nothing to look at here, and no value to quote.
				defer func() { _ = recover() }()
				rule.ValidateString(ctx, validator.StringRequest{Path: path.Root(where), ConfigValue: types.StringValue(canary)}, &refused)
			}()
			for _, said := range refused.Diagnostics {
				if strings.Contains(said.Summary()+said.Detail(), "CANARY") {
					t.Errorf("%s: %s %s", where, said.Summary(), said.Detail())
				}
			}
		}
	}
	p := New("test")()
	var ofProvider provider.SchemaResponse
	p.Schema(ctx, provider.SchemaRequest{}, &ofProvider)
	for name, attribute := range ofProvider.Schema.Attributes {
		check("provider."+name, attribute)
	}
	for _, make := range p.Resources(ctx) {
		var told resource.SchemaResponse
		make().Schema(ctx, resource.SchemaRequest{}, &told)
		for name, attribute := range told.Schema.Attributes {
			check(name, attribute)
		}
	}
	for name, attribute := range replicaAttributes() {
		check("replicas."+name, attribute)
	}
	for name, attribute := range selectionAttributes() {
		check("select."+name, attribute)
	}
	if with, ok := p.(provider.ProviderWithEphemeralResources); ok {
		for _, make := range with.EphemeralResources(ctx) {
			var told ephemeral.SchemaResponse
			make().Schema(ctx, ephemeral.SchemaRequest{}, &told)
			for name, attribute := range told.Schema.Attributes {
				check(name, attribute)
			}
		}
	}
	if rules < 30 {
		t.Errorf("only %d rules were looked at", rules)
	}
}

// TestParseSaysNothingOfItsText: a URL may carry a signature.
func TestParseSaysNothingOfItsText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"ftp://CANARY", "https://name.blob.core.windows.net/a/CANARY", "CANARY--..--CANARY"} {
		if _, err := parse(text); err == nil || strings.Contains(err.Error(), "CANARY") {
			t.Errorf("%v", err)
		}
	}
}
