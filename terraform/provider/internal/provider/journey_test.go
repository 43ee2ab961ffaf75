package provider

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// journey is the life of one resource, as every kind of resource has to live it.
type journey struct {
	// address is the resource's, such as kvstore_region.test.
	address string
	// create and update are configurations that differ in attributes which change in place.
	create, update string
	// unknown is as create, with values that are known only at apply; empty to leave that out.
	unknown string
	// created and updated are attributes that the state must have.
	created, updated map[string]string
	// importID imports it; found is the attribute that tells it from others.
	importID, found string
	// unread are attributes that an import does not find.
	unread []string
	// drift changes, behind Terraform's back, an attribute that Terraform owns.
	drift func(*testing.T)
	// end deletes it behind Terraform's back; nil if that cannot be.
	end func(*testing.T)
}

// run makes the journey in parts, each with things of its own.
func run(t *testing.T, make func(t *testing.T) journey) {
	controlPlane(t)
	has := make(t)
	part := func(name string, lived bool, test func(*testing.T, journey)) {
		if !lived {
			return
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, make(t))
		})
	}
	part("life", true, life)
	part("disappears", has.end != nil, disappears)
	part("drift", has.drift != nil, drifts)
	part("conflict", has.drift != nil && has.update != "", conflicts)
	part("unknown", has.unknown != "", unknownAtPlan)
}

func play(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: steps})
}

// empty holds if nothing is to do.
var empty = []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}

func attributesOf(address string, values map[string]string) resource.TestCheckFunc {
	var checks []resource.TestCheckFunc
	for _, name := range slices.Sorted(maps.Keys(values)) {
		checks = append(checks, resource.TestCheckResourceAttr(address, name, values[name]))
	}
	return resource.ComposeAggregateTestCheckFunc(checks...)
}

// life is made, imported, changed in place, changed back and ended; after each step a plan is empty.
func life(t *testing.T, j journey) {
	steps := []resource.TestStep{
		{
			Config:           asAdmin(t, j.create),
			Check:            attributesOf(j.address, j.created),
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: empty},
		},
		{
			ResourceName: j.address, ImportState: true, ImportStateId: j.importID,
			ImportStateVerify: true, ImportStateVerifyIdentifierAttribute: j.found, ImportStateVerifyIgnore: j.unread,
		},
	}
	if j.update != "" {
		steps = append(steps, resource.TestStep{
			Config: asAdmin(t, j.update),
			Check:  attributesOf(j.address, j.updated),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(j.address, plancheck.ResourceActionUpdate)},
				PostApplyPostRefresh: empty,
			},
		}, resource.TestStep{Config: asAdmin(t, j.create), Check: attributesOf(j.address, j.created)})
	}
	play(t, steps...)
}

// disappears: it is deleted behind Terraform's back, and made again.
func disappears(t *testing.T, j journey) {
	play(t,
		resource.TestStep{Config: asAdmin(t, j.create)},
		resource.TestStep{
			PreConfig: func() { j.end(t) },
			Config:    asAdmin(t, j.create),
			Check:     attributesOf(j.address, j.created),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(j.address, plancheck.ResourceActionCreate),
			}},
		})
}

// drifts: it is changed behind Terraform's back, and changed back.
func drifts(t *testing.T, j journey) {
	play(t,
		resource.TestStep{Config: asAdmin(t, j.create)},
		resource.TestStep{
			PreConfig: func() { j.drift(t) },
			Config:    asAdmin(t, j.create),
			Check:     attributesOf(j.address, j.created),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(j.address, plancheck.ResourceActionUpdate),
			}},
		})
}

// conflicts: it is changed between plan and apply, and the apply does not overwrite that.
func conflicts(t *testing.T, j journey) {
	play(t,
		resource.TestStep{Config: asAdmin(t, j.create)},
		resource.TestStep{
			Config: asAdmin(t, j.update),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				acting(func() { j.drift(t) }),
			}},
			ExpectError: regexp.MustCompile(`has changed meanwhile`),
		},
		// Planned again, their change is seen and can be changed.
		resource.TestStep{Config: asAdmin(t, j.update), Check: attributesOf(j.address, j.updated)})
}

// unknownAtPlan: values come from another resource of the same apply.
func unknownAtPlan(t *testing.T, j journey) {
	play(t, resource.TestStep{
		Config:           asAdmin(t, j.unknown),
		Check:            attributesOf(j.address, j.created),
		ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: empty},
	})
}

// acting is a plan check that does something between plan and apply.
type acting func()

// CheckPlan does it.
func (a acting) CheckPlan(context.Context, plancheck.CheckPlanRequest, *plancheck.CheckPlanResponse) {
	a()
}
