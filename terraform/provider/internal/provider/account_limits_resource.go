package provider

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// limitsModel is a kvstore_account_limits.
type limitsModel struct {
	Account        types.String `tfsdk:"account"`
	Operations     types.Int64  `tfsdk:"operations"`
	BytesPerSecond types.Int64  `tfsdk:"bytes_per_second"`
}

type limitsResource struct {
	managed[limitsModel, client.Limits, client.Account]
}

func newAccountLimitsResource() resource.Resource {
	r := &limitsResource{}
	r.kind = resourceKind[limitsModel, client.Limits, client.Account]{
		noun: "limits of account",
		name: func(m *limitsModel) string { return m.Account.ValueString() },
		path: func(m *limitsModel) string { return client.Path("accounts", m.Account.ValueString()) },
		spec: func(_ context.Context, m *limitsModel, _ *diag.Diagnostics) client.Limits {
			return client.Limits{Operations: m.Operations.ValueInt64(), BytesPerSecond: m.BytesPerSecond.ValueInt64()}
		},
		fill: func(_ context.Context, m *limitsModel, v client.Account, _ *diag.Diagnostics) {
			m.Account = types.StringValue(v.ResourceName)
			m.Operations = types.Int64Value(v.Limits.Operations)
			m.BytesPerSecond = types.Int64Value(v.Limits.BytesPerSecond)
		},
		make: makeLimits,
		put:  putLimits,
		end: func(ctx context.Context, c *client.Client, m *limitsModel, pre client.Precondition) error {
			_, _, err := putLimits(ctx, c, m, client.Limits{}, pre)
			return err
		},
		gone: func(v client.Account) bool { return v.State == client.Deleted },
	}
	return r
}

func putLimits(
	ctx context.Context, c *client.Client, m *limitsModel, spec client.Limits, pre client.Precondition,
) (client.Account, string, error) {
	return client.Put[client.Account](ctx, c, client.Path("accounts", m.Account.ValueString(), "limits"), spec, pre)
}

// makeLimits sets the limits of an account that has none yet.
func makeLimits(
	ctx context.Context, c *client.Client, m *limitsModel, spec client.Limits,
) (client.Account, string, error) {
	for try := 0; ; try++ {
		v, etag, err := client.Get[client.Account](ctx, c, client.Path("accounts", m.Account.ValueString()))
		if err != nil {
			return v, "", err
		}
		if (v.Limits != client.Limits{}) && v.Limits != spec {
			return v, "", errors.New("the account has limits already. Import them: terraform import ADDRESS " + v.ResourceName)
		}
		v, etag, err = putLimits(ctx, c, m, spec, client.Precondition{Match: etag})
		if !client.Stale(err) || try == rebases {
			return v, etag, err
		}
	}
}

// Metadata names the resource.
func (r *limitsResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_account_limits"
}

// Schema describes the resource.
func (r *limitsResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "What an account may take of each data plane. Only platform admins set limits; deletion lifts them.",
		Attributes: map[string]schema.Attribute{
			"account": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name of the account. A change replaces the limits.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
				Validators:          []validator.String{isResourceName()},
			},
			"operations": schema.Int64Attribute{
				Optional:            true,
				Computed:            true,
				Default:             int64default.StaticInt64(0),
				MarkdownDescription: "Calls that move blocks, served at a time, 0 to 100000; 0: no limit. Default: 0.",
				Validators:          []validator.Int64{int64validator.Between(0, 100_000)},
			},
			"bytes_per_second": schema.Int64Attribute{
				Optional:            true,
				Computed:            true,
				Default:             int64default.StaticInt64(0),
				MarkdownDescription: "Bytes read and written together in a second, 0 to 10^15; 0: no limit. Default: 0.",
				Validators:          []validator.Int64{int64validator.Between(0, 1_000_000_000_000_000)},
			},
		},
	}
}

// ImportState takes the account's name.
func (r *limitsResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	resource.ImportStatePassthroughID(ctx, path.Root("account"), req, resp)
}
