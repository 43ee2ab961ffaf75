package provider

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// lookup is a data source of one thing. V is what the service answers, D is that as Terraform has it.
type lookup[V, D any] struct {
	// name is the type's name without the provider's.
	name string
	text string
	// keys are the attributes that say which thing, with the rule for each; the rest of the columns is computed.
	keys    map[string]validator.String
	columns columns
	// get reads it by its keys.
	get  func(context.Context, *client.Client, map[string]string) (V, error)
	view func(V) D
	// gone tells of an answer that the thing was ended; nil: never.
	gone func(V) bool

	session *session
}

// Metadata names the data source.
func (d *lookup[V, D]) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.name
}

// Schema describes the data source.
func (d *lookup[V, D]) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := d.columns.computed()
	for key, rule := range d.keys {
		attributes[key] = schema.StringAttribute{
			Required: true, MarkdownDescription: d.columns[key].text, Validators: []validator.String{rule},
		}
	}
	resp.Schema = schema.Schema{MarkdownDescription: d.text, Attributes: attributes}
}

// Configure takes the provider's session.
func (d *lookup[V, D]) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.session = sessionOf(req.ProviderData, &resp.Diagnostics)
}

// Read reads the thing. One that is not there is an error.
func (d *lookup[V, D]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	keys := map[string]string{}
	for key := range maps.Keys(d.keys) {
		var value string
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root(key), &value)...)
		keys[key] = value
	}
	if resp.Diagnostics.HasError() || !d.session.ready(&resp.Diagnostics) {
		return
	}
	v, err := d.get(ctx, d.session.calls(ctx), keys)
	if err != nil {
		resp.Diagnostics.AddError("Cannot read the "+d.name, err.Error())
		return
	}
	if d.gone != nil && d.gone(v) {
		resp.Diagnostics.AddError("Cannot read the "+d.name, "It was deleted.")
		return
	}
	view := d.view(v)
	resp.Diagnostics.Append(resp.State.Set(ctx, &view)...)
}

// getAt reads a thing that has a path of its own.
func getAt[V any](at func(map[string]string) string) func(context.Context, *client.Client, map[string]string) (V, error) {
	return func(ctx context.Context, c *client.Client, keys map[string]string) (V, error) {
		v, _, err := client.Get[V](ctx, c, at(keys))
		return v, err
	}
}
