package provider

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

const (
	usualReadyTimeout = 10 * time.Minute
	// A service that does not hold its answer back is asked no more often than this.
	readyPause = time.Second
)

// readyModel is a kvstore_account_ready.
type readyModel struct {
	Account  types.String   `tfsdk:"account"`
	Triggers types.Map      `tfsdk:"triggers"`
	Probe    types.Bool     `tfsdk:"probe"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

// readyResource is no thing of the service: it waits, so that whatever depends on it finds an account that can be used.
type readyResource struct {
	session *session
}

func newAccountReadyResource() resource.Resource { return &readyResource{} }

// Configure takes the provider's session.
func (r *readyResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.session = sessionOf(req.ProviderData, &resp.Diagnostics)
}

// Create waits until each replica of the account was found good by a data plane.
func (r *readyResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var m readyModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !r.session.ready(&resp.Diagnostics) {
		return
	}
	limit, more := m.Timeouts.Create(ctx, usualReadyTimeout)
	resp.Diagnostics.Append(more...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	name := m.Account.ValueString()
	c := r.session.calls(ctx)
	if m.Probe.ValueBool() {
		if _, _, err := client.Post[any](ctx, c, client.Path("accounts", name, "probe"), nil, client.NewID()); err != nil {
			readyFailed(&resp.Diagnostics, r.session, name, err)
			return
		}
	}
	account, err := awaitReady(ctx, c, name)
	if err == nil && account.State == client.Deleted {
		resp.Diagnostics.AddError("The account "+name+" was deleted", "It cannot become ready.")
		return
	}
	if err != nil && account.ResourceName == "" {
		readyFailed(&resp.Diagnostics, r.session, name, err)
		return
	}
	if err != nil {
		resp.Diagnostics.AddError(fmt.Sprintf("The account %s is not ready after %v", name, limit), notReady(account))
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

func readyFailed(diags *diag.Diagnostics, s *session, name string, err error) {
	if client.Hidden(err) {
		hidden(diags, s, "account "+name)
		return
	}
	diags.AddError("The account "+name+" cannot be waited for", err.Error())
}

// awaitReady returns the account when it is ready or deleted; at the deadline the account as it was last, and an error.
func awaitReady(ctx context.Context, c *client.Client, name string) (client.Account, error) {
	var last client.Account
	for {
		began := time.Now()
		wait := c.LongestWait()
		if end, ok := ctx.Deadline(); ok {
			wait = max(min(wait, time.Until(end).Truncate(time.Second)), time.Second)
		}
		v, _, err := client.Get[client.Account](ctx, c, client.Path("accounts", name)+fmt.Sprintf("?wait=%ds", int(wait.Seconds())))
		if err != nil {
			return last, err
		}
		if last = v; v.Ready || v.State == client.Deleted {
			return v, nil
		}
		tflog.Info(ctx, "the account is not ready yet", map[string]any{"account": name, "replicas": notReady(v)})
		select {
		case <-ctx.Done():
			return last, ctx.Err()
		case <-time.After(max(readyPause-time.Since(began), 0)):
		}
	}
}

// notReady says of each replica that is not ready what the last trial found.
func notReady(v client.Account) string {
	var lines []string
	for _, r := range v.Replicas {
		if r.State == "ready" {
			continue
		}
		line := fmt.Sprintf("The replica in %s is %s", r.Region, r.State)
		switch {
		case r.Report == nil:
			line += ": no data plane has tried it yet. Is there an active cluster in the region?"
		case failed(r.Report) != nil:
			step := failed(r.Report)
			line += fmt.Sprintf(": %s at %s: %s", step.Name, r.Report.At, step.Reason)
		}
		if r.Proof != nil {
			line += fmt.Sprintf(" The container must hold the blob %s; its content is in the account's proofs.", r.Proof.Blob)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// failed is the step of a trial that failed; nil if none did.
func failed(report *client.ProbeReport) *client.Step {
	for i := range report.Steps {
		if !report.Steps[i].OK {
			return &report.Steps[i]
		}
	}
	return nil
}
