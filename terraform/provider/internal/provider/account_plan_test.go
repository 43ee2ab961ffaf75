package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// TestAFailoverPlansNothingBesideItsWarning: Terraform marks the storage's warnings as unknown, since the configuration's
// home differs from the state's.
func TestAFailoverPlansNothingBesideItsWarning(t *testing.T) {
	t.Parallel()
	state := failedOver(t)
	planned := planOf(t, state, func(*accountModel) {})
	if !planned.Plan.Raw.Equal(stateOf(t, state).Raw) {
		t.Errorf("planned %s", planned.Plan.Raw)
	}
	if planned.Diagnostics.WarningsCount() != 1 {
		t.Errorf("got %v, want the warning that the home stays", planned.Diagnostics)
	}
}

// TestAChangeBesideAFailoverMayBringOtherWarnings: they are known after the apply.
func TestAChangeBesideAFailoverMayBringOtherWarnings(t *testing.T) {
	t.Parallel()
	planned := planOf(t, failedOver(t), func(m *accountModel) { m.MaxOfflineSeconds = types.Int64Value(7) })
	var plan accountModel
	if diags := planned.Plan.Get(t.Context(), &plan); diags.HasError() {
		t.Fatal(diags)
	}
	if !plan.Warnings.IsUnknown() || plan.HomeRegion.ValueString() != "us-1" {
		t.Errorf("warnings %s, home %s", plan.Warnings, plan.HomeRegion)
	}
}

// failedOver is the state of an account whose home moved to us-1.
func failedOver(t *testing.T) accountModel {
	t.Helper()
	var m accountModel
	var diags diag.Diagnostics
	fillAccount(t.Context(), &m, tried(t), &diags)
	if diags.HasError() {
		t.Fatal(diags)
	}
	m.HomeRegionPolicy = types.StringValue(policyInitial)
	m.DeletionProtection = types.BoolValue(false)
	m.AvoidedRegions = set(t.Context(), []string{"eu-1"}, &diags)
	return m
}

// planOf is the plan for a configuration whose home is eu-1, with a change, as Terraform proposes it.
func planOf(t *testing.T, state accountModel, change func(*accountModel)) *resource.ModifyPlanResponse {
	t.Helper()
	proposed := state
	proposed.HomeRegion = types.StringValue("eu-1")
	proposed.Warnings = types.ListUnknown(state.Warnings.ElementType(t.Context()))
	change(&proposed)
	before, after := stateOf(t, state), stateOf(t, proposed)
	request := resource.ModifyPlanRequest{
		Config: tfsdk.Config(after),
		Plan:   tfsdk.Plan(after),
		State:  before,
	}
	response := &resource.ModifyPlanResponse{Plan: tfsdk.Plan(stateOf(t, proposed))}
	newAccountResource().(resource.ResourceWithModifyPlan).ModifyPlan(t.Context(), request, response)
	if response.Diagnostics.HasError() {
		t.Fatal(response.Diagnostics)
	}
	return response
}

func stateOf(t *testing.T, m accountModel) tfsdk.State {
	t.Helper()
	var schema resource.SchemaResponse
	newAccountResource().Schema(t.Context(), resource.SchemaRequest{}, &schema)
	state := tfsdk.State{
		Schema: schema.Schema,
		Raw:    tftypes.NewValue(schema.Schema.Type().TerraformType(t.Context()), nil),
	}
	if diags := state.Set(t.Context(), &m); diags.HasError() {
		t.Fatal(diags)
	}
	return state
}
