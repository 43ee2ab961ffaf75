package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

var proofType = types.ObjectType{AttrTypes: map[string]attr.Type{"blob": types.StringType, "content": types.StringType}}

// fillReplicas takes replicas and their proofs as the service has them.
func fillReplicas(m *accountModel, served []client.Replica) {
	before := m.Replicas
	kept := m.Proofs.Elements()
	proofs := map[string]attr.Value{}
	m.Replicas = map[string]replicaModel{}
	for _, r := range served {
		endpoint := types.StringValue(r.Endpoint)
		if known, ok := before[r.Region]; ok && normalEndpoint(known.Endpoint.ValueString()) == r.Endpoint {
			// Another way to write the same is no change.
			endpoint = known.Endpoint
		}
		m.Replicas[r.Region] = replicaModel{
			Endpoint:        endpoint,
			Container:       types.StringPointerValue(r.Container),
			Credential:      types.StringPointerValue(r.Credential),
			CreateContainer: types.BoolValue(r.CreateContainer),
			Vouched:         types.BoolValue(r.Vouched),
		}
		if r.Proof != nil {
			proofs[r.Region] = types.ObjectValueMust(proofType.AttrTypes, map[string]attr.Value{
				"blob": types.StringValue(r.Proof.Blob), "content": types.StringValue(r.Proof.Content),
			})
		} else if known, ok := kept[r.Region]; ok && !r.Vouched && !known.IsUnknown() {
			// The service shows an accepted proof no more. It stays here: the blob that was made of it should not go away with
			// the next apply.
			proofs[r.Region] = known
		}
	}
	m.Proofs = types.MapValueMust(proofType, proofs)
}

// planProofs plans a proof for each replica that the tenant has to prove, so that their regions are known before the apply.
// State is the zero value for a new account.
func planProofs(state, plan *accountModel) {
	kept := state.Proofs.Elements()
	proofs := map[string]attr.Value{}
	for region, replica := range plan.Replicas {
		if replica.Vouched.IsUnknown() || replica.Endpoint.IsUnknown() || replica.Container.IsUnknown() {
			plan.Proofs = types.MapUnknown(proofType)
			return
		}
		if replica.Vouched.ValueBool() {
			continue
		}
		before, known := state.Replicas[region]
		if known && !before.Vouched.ValueBool() && before.samePlace(replica) {
			if proof, shown := kept[region]; shown {
				proofs[region] = proof
			}
			continue
		}
		proofs[region] = types.ObjectUnknown(proofType.AttrTypes)
	}
	plan.Proofs = types.MapValueMust(proofType, proofs)
}

// samePlace tells whether the owner of one is the owner of the other.
func (r replicaModel) samePlace(other replicaModel) bool {
	return normalEndpoint(r.Endpoint.ValueString()) == normalEndpoint(other.Endpoint.ValueString()) &&
		r.Container.ValueString() == other.Container.ValueString()
}
