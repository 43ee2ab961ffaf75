package provider

import (
	"context"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// warmingModel is a kvstore_warming.
type warmingModel struct {
	ID                types.String `tfsdk:"id"`
	Account           types.String `tfsdk:"account"`
	From              types.String `tfsdk:"from"`
	To                types.String `tfsdk:"to"`
	Select            types.Object `tfsdk:"select"`
	EverySeconds      types.Int64  `tfsdk:"every_seconds"`
	BytesPerSecond    types.Int64  `tfsdk:"bytes_per_second"`
	RequestsPerSecond types.Int64  `tfsdk:"requests_per_second"`
	Preheat           types.String `tfsdk:"preheat"`
	State             types.String `tfsdk:"state"`
}

// selectionModel says which blocks are copied.
type selectionModel struct {
	HottestBytes types.Int64       `tfsdk:"hottest_bytes"`
	Used         types.Bool        `tfsdk:"used"`
	StoredSince  timetypes.RFC3339 `tfsdk:"stored_since"`
	All          types.Bool        `tfsdk:"all"`
	Partition    types.String      `tfsdk:"partition"`
	BlockTokens  types.Int64       `tfsdk:"block_tokens"`
}

// warmingResource is a standing warming. One that is done once is an act, as a failover is: no state describes it.
type warmingResource struct {
	managed[warmingModel, client.WarmingSpec, client.Warming]
}

func newWarmingResource() resource.Resource {
	r := &warmingResource{}
	r.kind = resourceKind[warmingModel, client.WarmingSpec, client.Warming]{
		noun: "warming",
		name: func(m *warmingModel) string { return m.ID.ValueString() },
		path: func(m *warmingModel) string { return client.Path("warmings", m.ID.ValueString()) },
		spec: warmingSpec,
		fill: fillWarming,
		make: func(
			ctx context.Context, c *client.Client, _ *warmingModel, spec client.WarmingSpec,
		) (client.Warming, string, error) {
			// With one key for all attempts: a repetition after a lost answer makes no second warming.
			return client.Post[client.Warming](ctx, c, client.Path("warmings"), spec, client.NewID())
		},
		end:  cancelWarming,
		gone: client.Warming.Over,
		farewell: func(v client.Warming) string {
			text := "It is " + v.State + ", and never goes on. Terraform plans a new one."
			if v.Flaw != nil {
				text += " The control plane says: " + *v.Flaw
			}
			return text
		},
		where: func(_ *warmingModel, field string) path.Path {
			if field == "resourceName" {
				return path.Root("account")
			}
			return path.Empty()
		},
	}
	return r
}

// cancelWarming ends a warming. Copied blocks stay.
func cancelWarming(ctx context.Context, c *client.Client, m *warmingModel, _ client.Precondition) error {
	at := client.Path("warmings", m.ID.ValueString())
	_, _, err := client.Post[client.Warming](ctx, c, at+"/cancel", struct{}{}, client.NewID())
	if client.HasStatus(err, http.StatusConflict) {
		// It may have ended by itself.
		if v, _, unreadable := client.Get[client.Warming](ctx, c, at); unreadable == nil && v.Over() {
			return nil
		}
	}
	return err
}

func warmingSpec(ctx context.Context, m *warmingModel, diags *diag.Diagnostics) client.WarmingSpec {
	s := selected(ctx, m, diags)
	spec := client.WarmingSpec{
		ResourceName:      m.Account.ValueString(),
		From:              m.From.ValueString(),
		To:                m.To.ValueString(),
		BytesPerSecond:    m.BytesPerSecond.ValueInt64(),
		RequestsPerSecond: m.RequestsPerSecond.ValueInt64(),
		Preheat:           m.Preheat.ValueString(),
		EverySeconds:      m.EverySeconds.ValueInt64(),
		Select: client.Selection{
			Partition:    s.Partition.ValueStringPointer(),
			BlockTokens:  s.BlockTokens.ValueInt64Pointer(),
			HottestBytes: s.HottestBytes.ValueInt64Pointer(),
			Used:         s.Used.ValueBoolPointer(),
			StoredSince:  s.StoredSince.ValueStringPointer(),
			All:          s.All.ValueBoolPointer(),
		},
	}
	return spec
}

// selected reads the selection of a model; an empty one if there is none yet.
func selected(ctx context.Context, m *warmingModel, diags *diag.Diagnostics) selectionModel {
	var s selectionModel
	if !m.Select.IsNull() && !m.Select.IsUnknown() {
		diags.Append(m.Select.As(ctx, &s, basetypes.ObjectAsOptions{})...)
	}
	return s
}

func fillWarming(ctx context.Context, m *warmingModel, v client.Warming, diags *diag.Diagnostics) {
	if v.EverySeconds == nil {
		diags.AddError("The warming "+v.ID+" is no standing one",
			"It is done once, and then over: leave it to kv admin. This resource is for warmings with every_seconds.")
		return
	}
	before := selected(ctx, m, diags)
	m.ID = types.StringValue(v.ID)
	m.Account = types.StringValue(v.ResourceName)
	m.From = types.StringValue(v.From)
	m.To = types.StringValue(v.To)
	m.EverySeconds = types.Int64PointerValue(v.EverySeconds)
	m.BytesPerSecond = types.Int64Value(v.BytesPerSecond)
	m.RequestsPerSecond = types.Int64Value(v.RequestsPerSecond)
	m.Preheat = types.StringValue(v.Preheat)
	m.State = types.StringValue(v.State)
	object, more := types.ObjectValueFrom(ctx, selectionTypes, selectionModel{
		HottestBytes: types.Int64PointerValue(v.Select.HottestBytes),
		Used:         trueOrNull(v.Select.Used),
		StoredSince:  instant(before.StoredSince, v.Select.StoredSince, diags),
		All:          trueOrNull(v.Select.All),
		Partition:    types.StringPointerValue(v.Select.Partition),
		BlockTokens:  types.Int64PointerValue(v.Select.BlockTokens),
	})
	diags.Append(more...)
	m.Select = object
}

// trueOrNull is null for false: the service takes both for the same.
func trueOrNull(b *bool) types.Bool {
	if b == nil || !*b {
		return types.BoolNull()
	}
	return types.BoolValue(true)
}

// ImportState takes the warming's id.
func (r *warmingResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	resource.ImportStatePassthroughID(ctx, path.Root("id"), req, resp)
}
