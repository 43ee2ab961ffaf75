package provider

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

var (
	containerPattern  = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$`)
	twoDashes         = regexp.MustCompile(`--`)
	beyondPath        = regexp.MustCompile(`[?#@]`)
	credentialPattern = regexp.MustCompile(`^(managed-identity|env:[A-Za-z_][A-Za-z0-9_]{0,200}|file:/.{1,500}|keyvault:https://.+)$`)
)

// replicaAttributes describe one replica.
func replicaAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"endpoint": schema.StringAttribute{
			Required: true,
			MarkdownDescription: "URL of the blob service, such as `https://name.blob.core.windows.net`, or a folder of the data planes' " +
				"machines, `file:///...`.",
			Validators: []validator.String{
				stringvalidator.LengthBetween(1, 500),
				refusesMatch(beyondPath, "must be without a query, a fragment and a user; a credential has no place in it"),
			},
		},
		"container": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Container of the blobs. Needed unless the endpoint is a folder.",
			Validators: []validator.String{
				matches(containerPattern, "must be 3 to 63 of a-z, 0-9 and single '-'"),
				refusesMatch(twoDashes, "must be 3 to 63 of a-z, 0-9 and single '-'"),
			},
		},
		"credential": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Reference to the credential, never the credential: `managed-identity`, `env:NAME`, `file:/path` or " +
				"`keyvault:https://VAULT.vault.azure.net/secrets/NAME`. Needed unless the endpoint is a folder.",
			Validators: []validator.String{matches(credentialPattern,
				"must be managed-identity, env:NAME, file:/path or keyvault:https://VAULT.vault.azure.net/secrets/NAME; a credential itself has no place here")},
		},
		"create_container": schema.BoolAttribute{
			Optional:            true,
			Computed:            true,
			Default:             booldefault.StaticBool(false),
			MarkdownDescription: "Whether a missing container is made, as for emulators. For platform admins; needs `vouched`. Default: false.",
		},
		"vouched": schema.BoolAttribute{
			Optional:            true,
			Computed:            true,
			Default:             booldefault.StaticBool(false),
			MarkdownDescription: "Whether a platform admin vouches that the container is the tenant's, so that no proof is needed. Default: false.",
		},
	}
}
