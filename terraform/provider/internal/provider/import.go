package provider

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// importPair takes an id of two parts, as in acme/reader, into two attributes.
func importPair(
	ctx context.Context, first, second string, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	a, b, ok := strings.Cut(req.ID, "/")
	if !ok || a == "" || b == "" || strings.Contains(b, "/") {
		resp.Diagnostics.AddError("The import id has another form",
			"Give "+strings.ToUpper(first)+"/"+strings.ToUpper(second)+", not \""+req.ID+"\".")
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(first), a)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(second), b)...)
}
