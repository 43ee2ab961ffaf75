package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// providerModel is the provider block.
type providerModel struct {
	Endpoint              types.String         `tfsdk:"endpoint"`
	Token                 types.String         `tfsdk:"token"`
	TokenFile             types.String         `tfsdk:"token_file"`
	CAFile                types.String         `tfsdk:"ca_file"`
	ClientCertificateFile types.String         `tfsdk:"client_certificate_file"`
	ClientKeyFile         types.String         `tfsdk:"client_key_file"`
	InsecurePlaintext     types.Bool           `tfsdk:"insecure_plaintext"`
	RequestTimeout        timetypes.GoDuration `tfsdk:"request_timeout"`
	MaxRetries            types.Int64          `tfsdk:"max_retries"`
}

// Schema describes the provider block.
func (p *kvstore) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manages a KV Store control plane: regions, clusters, tenants, storage accounts, warmings, grants and keys.",
		Attributes: map[string]schema.Attribute{
			"endpoint": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "URL of the control plane, such as `https://control.example.com:8080`. Default: the environment variable `KVSTORE_URL`.",
			},
			"token": schema.StringAttribute{
				Optional:            true,
				Sensitive:           true,
				MarkdownDescription: "Bearer token: an admin token (`kva_...`) or a token of an OpenID Connect provider. Default: `token_file`, then the environment variable `KVSTORE_ADMIN_TOKEN`.",
				Validators:          []validator.String{stringvalidator.ConflictsWith(path.MatchRoot("token_file"))},
			},
			"token_file": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "File that holds the token and nothing else.",
			},
			"ca_file": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "PEM file with the authorities of the control plane's certificate. Default: the authorities that the system trusts.",
			},
			"client_certificate_file": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "PEM file with a client certificate.",
				Validators:          []validator.String{stringvalidator.AlsoRequires(path.MatchRoot("client_key_file"))},
			},
			"client_key_file": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "PEM file with the private key of the client certificate.",
				Validators:          []validator.String{stringvalidator.AlsoRequires(path.MatchRoot("client_certificate_file"))},
			},
			"insecure_plaintext": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Allows `http://` to another machine. The token then crosses the network in clear. Default: false.",
			},
			"request_timeout": schema.StringAttribute{
				Optional:            true,
				CustomType:          timetypes.GoDurationType{},
				MarkdownDescription: "Longest time of one attempt of one request, such as `10s`. Default: `30s`.",
			},
			"max_retries": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "How often a request is repeated while the control plane is away or busy, 0 to 100. The pauses grow to 8 s; a `Retry-After` of the control plane is honoured. Default: 10.",
				Validators:          []validator.Int64{int64validator.Between(0, 100)},
			},
		},
	}
}
