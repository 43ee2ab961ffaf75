package provider

import (
	"context"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

type accountResource struct {
	managed[accountModel, client.AccountSpec, client.Account]
}

func newAccountResource() resource.Resource {
	r := &accountResource{}
	r.kind = resourceKind[accountModel, client.AccountSpec, client.Account]{
		noun:  "account",
		name:  func(m *accountModel) string { return m.Name.ValueString() },
		path:  func(m *accountModel) string { return client.Path("accounts", m.Name.ValueString()) },
		spec:  accountSpec,
		fill:  fillAccount,
		gone:  func(v client.Account) bool { return v.State == client.Deleted },
		where: accountAttribute,
	}
	return r
}

// accountAttribute finds replicas[0].endpoint of the service as replicas["eu-1"].endpoint.
func accountAttribute(m *accountModel, field string) path.Path {
	rest, ok := strings.CutPrefix(field, "replicas[")
	if !ok {
		return path.Empty()
	}
	index, rest, _ := strings.Cut(rest, "]")
	i, err := strconv.Atoi(index)
	regions := m.regions()
	if err != nil || i < 0 || i >= len(regions) {
		return path.Root("replicas")
	}
	at := path.Root("replicas").AtMapKey(regions[i])
	if name := strings.TrimPrefix(rest, "."); name != "" && name != "region" {
		at = at.AtName(snake(name))
	}
	return at
}

// ImportState takes the account's name. An imported account is protected.
func (r *accountResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	resource.ImportStatePassthroughID(ctx, path.Root("name"), req, resp)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("deletion_protection"), true)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("home_region_policy"), policyInitial)...)
}
