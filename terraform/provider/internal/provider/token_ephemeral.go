package provider

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

const (
	usualTokenLife = 15 * time.Minute
	// shortestTokenLife leaves time to renew.
	shortestTokenLife = time.Minute
	longestTokenLife  = 24 * time.Hour
	tokenKey          = "token"
)

// tokenModel is an ephemeral kvstore_token.
type tokenModel struct {
	Tenant        types.String         `tfsdk:"tenant"`
	Label         types.String         `tfsdk:"label"`
	ExpiresIn     timetypes.GoDuration `tfsdk:"expires_in"`
	RevokeOnClose types.Bool           `tfsdk:"revoke_on_close"`
	ID            types.String         `tfsdk:"id"`
	Token         types.String         `tfsdk:"token"`
	ExpiresAt     timetypes.RFC3339    `tfsdk:"expires_at"`
}

// tokenNote is what Renew and Close have to know. It holds no secret.
type tokenNote struct {
	Tenant, ID, Label string
	Life              time.Duration
	Revoke            bool
}

// tokenEphemeral is a key that lives for one run of Terraform.
type tokenEphemeral struct {
	session *session
}

var (
	_ ephemeral.EphemeralResourceWithRenew     = (*tokenEphemeral)(nil)
	_ ephemeral.EphemeralResourceWithClose     = (*tokenEphemeral)(nil)
	_ ephemeral.EphemeralResourceWithConfigure = (*tokenEphemeral)(nil)
)

func newTokenEphemeral() ephemeral.EphemeralResource { return &tokenEphemeral{} }

// Configure takes the provider's session.
func (e *tokenEphemeral) Configure(_ context.Context, req ephemeral.ConfigureRequest, resp *ephemeral.ConfigureResponse) {
	e.session = sessionOf(req.ProviderData, &resp.Diagnostics)
}

// Open makes a key. Terraform opens at each plan and each apply, and closes each.
func (e *tokenEphemeral) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var m tokenModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	life := tokenLife(m.ExpiresIn, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !e.session.ready(&resp.Diagnostics) {
		return
	}
	note := tokenNote{
		Tenant: m.Tenant.ValueString(), ID: client.NewID(), Label: m.Label.ValueString(), Life: life,
		Revoke: m.RevokeOnClose.IsNull() || m.RevokeOnClose.ValueBool(),
	}
	if m.Label.IsNull() {
		note.Label = "terraform"
	}
	text := client.KeyText(note.ID, client.NewSecret())
	end, err := e.prolong(ctx, note, client.Hash(text))
	if err != nil {
		resp.Diagnostics.AddError("Cannot make a token", err.Error())
		return
	}
	m.ID = types.StringValue(note.ID)
	m.Token = types.StringValue(text)
	m.ExpiresAt = timetypes.NewRFC3339TimeValue(end)
	resp.Diagnostics.Append(resp.Result.Set(ctx, &m)...)
	kept, err := json.Marshal(note)
	if err != nil {
		resp.Diagnostics.AddError("Cannot note the token", err.Error())
		return
	}
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, tokenKey, kept)...)
	resp.RenewAt = end.Add(-life / 3)
}

func tokenLife(d timetypes.GoDuration, diags *diag.Diagnostics) time.Duration {
	if d.IsNull() {
		return usualTokenLife
	}
	life, more := d.ValueGoDuration()
	diags.Append(more...)
	if life < shortestTokenLife || life > longestTokenLife {
		diags.AddError("The token's life has another range", "expires_in must be 1m to 24h.")
	}
	return life
}

// prolong makes the key end a life from now. The hash is needed at first only.
func (e *tokenEphemeral) prolong(ctx context.Context, note tokenNote, hash string) (time.Time, error) {
	end := time.Now().UTC().Truncate(time.Second).Add(note.Life)
	spec := client.KeySpec{Label: note.Label, ExpiresAt: end.Format(time.RFC3339), SHA256: hash}
	_, _, err := client.Put[client.Key](ctx, e.session.calls(ctx), note.path(), spec, client.Precondition{})
	return end, err
}

func (n tokenNote) path() string { return client.Path("tenants", n.Tenant, "keys", n.ID) }

// Renew prolongs the key while Terraform still works with it.
func (e *tokenEphemeral) Renew(ctx context.Context, req ephemeral.RenewRequest, resp *ephemeral.RenewResponse) {
	note := noted(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !e.session.ready(&resp.Diagnostics) {
		return
	}
	end, err := e.prolong(ctx, note, "")
	if err != nil {
		resp.Diagnostics.AddError("Cannot prolong the token "+note.ID, err.Error())
		return
	}
	resp.RenewAt = end.Add(-note.Life / 3)
}

// Close revokes the key.
func (e *tokenEphemeral) Close(ctx context.Context, req ephemeral.CloseRequest, resp *ephemeral.CloseResponse) {
	note := noted(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !note.Revoke || !e.session.ready(&resp.Diagnostics) {
		return
	}
	err := client.Delete(ctx, e.session.calls(ctx), note.path(), client.Precondition{})
	if err != nil && !client.Gone(err) {
		resp.Diagnostics.AddError("Cannot revoke the token "+note.ID, err.Error()+". It ends by itself.")
	}
}

func noted(ctx context.Context, private privateState, diags *diag.Diagnostics) tokenNote {
	var note tokenNote
	kept, more := private.GetKey(ctx, tokenKey)
	diags.Append(more...)
	if err := json.Unmarshal(kept, &note); err != nil && !diags.HasError() {
		diags.AddError("A flaw of the provider", "its note of a token cannot be read: please report this")
	}
	return note
}
