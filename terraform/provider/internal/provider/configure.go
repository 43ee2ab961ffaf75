package provider

import (
	"context"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

const (
	urlVariable   = "KVSTORE_URL"
	tokenVariable = "KVSTORE_ADMIN_TOKEN"

	usualRetries = 10
	// A control plane that does not answer by then is met again at the first real call, with all its repetitions.
	greetingTimeout = 5 * time.Second
)

// Configure makes the client that everything shares, and asks the control plane once for the caller's rights.
func (p *kvstore) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var m providerModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	s := &session{}
	if unknown(m) {
		// The control plane is made in this run: a plan needs no answer of it.
		tflog.Info(ctx, "the endpoint or token is not known yet: nothing is asked before it is")
	} else if s.client = p.client(m, &resp.Diagnostics); s.client != nil {
		greet(ctx, s, &resp.Diagnostics)
	}
	resp.ResourceData = s
	resp.DataSourceData = s
	resp.EphemeralResourceData = s
}

func unknown(m providerModel) bool {
	return m.Endpoint.IsUnknown() || m.Token.IsUnknown() || m.TokenFile.IsUnknown() || m.CAFile.IsUnknown() ||
		m.ClientCertificateFile.IsUnknown() || m.ClientKeyFile.IsUnknown()
}

// client makes a client of the block and the environment; nil after an error.
func (p *kvstore) client(m providerModel, diags *diag.Diagnostics) *client.Client {
	endpoint := orVariable(m.Endpoint, urlVariable)
	if endpoint == "" {
		diags.AddAttributeError(path.Root("endpoint"), "No control plane is named",
			"Set endpoint, or the environment variable "+urlVariable+".")
		return nil
	}
	token := token(m, diags)
	timeout, more := m.RequestTimeout.ValueGoDuration()
	if !m.RequestTimeout.IsNull() {
		diags.Append(more...)
	}
	if diags.HasError() {
		return nil
	}
	retries := int64(usualRetries)
	if !m.MaxRetries.IsNull() {
		retries = m.MaxRetries.ValueInt64()
	}
	c, err := client.New(client.Options{
		Endpoint:          endpoint,
		Token:             token,
		CAFile:            m.CAFile.ValueString(),
		CertificateFile:   m.ClientCertificateFile.ValueString(),
		KeyFile:           m.ClientKeyFile.ValueString(),
		InsecurePlaintext: m.InsecurePlaintext.ValueBool(),
		RequestTimeout:    timeout,
		MaxRetries:        int(retries),
		UserAgent:         "terraform-provider-kvstore/" + p.version,
	})
	if err != nil {
		diags.AddError("The provider block cannot be used", err.Error())
	}
	return c
}

func token(m providerModel, diags *diag.Diagnostics) string {
	if file := m.TokenFile.ValueString(); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			diags.AddAttributeError(path.Root("token_file"), "The token cannot be read", err.Error())
		}
		return strings.TrimSpace(string(text))
	}
	token := strings.TrimSpace(orVariable(m.Token, tokenVariable))
	if token == "" {
		diags.AddAttributeError(path.Root("token"), "No token",
			"Set token or token_file, or the environment variable "+tokenVariable+".")
	}
	return token
}

func orVariable(value types.String, variable string) string {
	if !value.IsNull() {
		return value.ValueString()
	}
	return os.Getenv(variable)
}

// greet asks for the caller's rights, so that a bad token is one error and not one for each resource.
func greet(ctx context.Context, s *session, diags *diag.Diagnostics) {
	ctx, cancel := context.WithTimeout(ctx, greetingTimeout)
	defer cancel()
	caller, _, err := client.Get[client.Caller](ctx, s.calls(ctx), client.Path("whoami"))
	switch {
	case err == nil:
		s.caller = &caller
		tflog.Info(ctx, "the control plane knows the token", map[string]any{
			"name": caller.Name, "role": caller.Role, "server_version": caller.Version,
		})
	case client.HasStatus(err, http.StatusUnauthorized), client.HasStatus(err, http.StatusForbidden):
		diags.AddAttributeError(path.Root("token"), "The control plane does not take the token",
			s.client.Endpoint()+" says: "+err.Error())
	case client.HasStatus(err, http.StatusNotFound):
		diags.AddAttributeError(path.Root("endpoint"), "The control plane is too old for this provider",
			s.client.Endpoint()+" has no /v1/whoami. Upgrade the control plane, or check the endpoint.")
	default:
		// It may be made in this run, or be away for a moment: the first real call waits for it.
		tflog.Warn(ctx, "the control plane did not answer", map[string]any{"error": err.Error()})
	}
}
