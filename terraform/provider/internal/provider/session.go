package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// session is what all resources of a provider block share. It is safe for concurrent use: nothing changes once it is made.
type session struct {
	// client is nil while the endpoint or token is not known.
	client *client.Client
	// caller is nil if the control plane did not answer when the provider was configured.
	caller *client.Caller
}

// sessionOf takes the session from what Terraform hands over; nil before the provider is configured.
func sessionOf(data any, diags *diag.Diagnostics) *session {
	if data == nil {
		return nil
	}
	s, ok := data.(*session)
	if !ok {
		diags.AddError("A flaw of the provider", "its session has another type: please report this")
	}
	return s
}

// ready tells whether the control plane can be called, and reports an error if not.
func (s *session) ready(diags *diag.Diagnostics) bool {
	if s == nil || s.client == nil {
		diags.AddError("The control plane is not known yet",
			"The provider's endpoint or token depends on a resource that is not made yet. "+
				"Make that resource first: terraform apply -target=ADDRESS.")
		return false
	}
	return true
}

// calls returns the client with its attempts told to Terraform's log.
func (s *session) calls(ctx context.Context) *client.Client {
	ctx = masked(ctx)
	return s.client.WithLog(func(r client.Record) {
		fields := map[string]any{
			"method": r.Method, "path": r.Path, "attempt": r.Attempt, "status": r.Status, "ms": r.Took.Milliseconds(),
		}
		if r.Err != nil {
			fields["error"] = r.Err.Error()
		}
		tflog.Debug(ctx, "called the control plane", fields)
	})
}

// masked returns a context whose log shows no key and no token.
func masked(ctx context.Context) context.Context {
	ctx = tflog.MaskAllFieldValuesRegexes(ctx, client.Secrets)
	return tflog.MaskMessageRegexes(ctx, client.Secrets)
}
