package provider

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

const (
	warningName = "`hierarchical_namespace`, `versioning`, `soft_delete`, `immutability_policy` or `legal_hold`; later data planes " +
		"may name more."
	warningKnown = "Whether the storage has the setting. False: the credential is not told, and it may or may not have it."
	warningText  = "What the setting does and what to do, or why it is not known."
)

var warningType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"region": types.StringType, "name": types.StringType, "known": types.BoolType, "text": types.StringType,
}}

// warningsOf are the warnings of all replicas, by region; of one replica in the order in which the service has them.
func warningsOf(replicas []client.Replica) types.List {
	byRegion := slices.SortedStableFunc(slices.Values(replicas), func(a, b client.Replica) int {
		return cmp.Compare(a.Region, b.Region)
	})
	warnings := []attr.Value{}
	for _, r := range byRegion {
		if r.Report == nil {
			continue
		}
		for _, w := range r.Report.Warnings {
			warnings = append(warnings, types.ObjectValueMust(warningType.AttrTypes, map[string]attr.Value{
				"region": types.StringValue(r.Region), "name": types.StringValue(w.Name),
				"known": types.BoolValue(w.Known), "text": types.StringValue(w.Text),
			}))
		}
	}
	return types.ListValueMust(warningType, warnings)
}
