package provider

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

const clusterPatience = 15 * time.Second

// clusterModel is a kvstore_cluster.
type clusterModel struct {
	Name               types.String `tfsdk:"name"`
	Region             types.String `tfsdk:"region"`
	State              types.String `tfsdk:"state"`
	Addresses          types.Set    `tfsdk:"addresses"`
	AdvertisedAddress  types.String `tfsdk:"advertised_address"`
	DeletionProtection types.Bool   `tfsdk:"deletion_protection"`
}

func (m *clusterModel) protection() types.Bool { return m.DeletionProtection }

type clusterResource struct {
	managed[clusterModel, client.ClusterSpec, client.Cluster]
}

func newClusterResource() resource.Resource {
	r := &clusterResource{}
	r.kind = resourceKind[clusterModel, client.ClusterSpec, client.Cluster]{
		noun: "cluster",
		name: func(m *clusterModel) string { return m.Name.ValueString() },
		path: func(m *clusterModel) string { return client.Path("clusters", m.Name.ValueString()) },
		spec: clusterSpec,
		fill: fillCluster,
		// The platform itself places accounts on it; Terraform may be deleting them at the same time.
		patience: clusterPatience,
	}
	return r
}

func clusterSpec(ctx context.Context, m *clusterModel, diags *diag.Diagnostics) client.ClusterSpec {
	spec := client.ClusterSpec{
		Region:            m.Region.ValueString(),
		State:             m.State.ValueString(),
		Addresses:         texts(ctx, m.Addresses, diags),
		AdvertisedAddress: m.AdvertisedAddress.ValueString(),
	}
	if m.AdvertisedAddress.IsNull() {
		// Without a word the service keeps the address that it has.
		spec.AdvertisedAddress = client.NoAddress
	}
	return spec
}

func fillCluster(ctx context.Context, m *clusterModel, v client.Cluster, diags *diag.Diagnostics) {
	m.Name = types.StringValue(v.Name)
	m.Region = types.StringValue(v.Region)
	m.State = types.StringValue(v.State)
	m.Addresses = set(ctx, v.Addresses, diags)
	m.AdvertisedAddress = types.StringPointerValue(v.AdvertisedAddress)
}

// ModifyPlan refuses the deletion of a protected cluster before anything is deleted.
func (r *clusterResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	same := func(a, b *clusterModel) bool { return a.Name.Equal(b.Name) && a.Region.Equal(b.Region) }
	planDeletion(ctx, r.kind.noun, r.kind.name, same, req, resp)
}

// ImportState takes the cluster's name.
func (r *clusterResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	resource.ImportStatePassthroughID(ctx, path.Root("name"), req, resp)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("deletion_protection"), false)...)
}
