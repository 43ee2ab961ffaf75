package provider

import (
	"context"
	"net/url"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// listing is a data source of all things of a kind. It reads all pages.
type listing[V, D any] struct {
	// name is the type's name without the provider's, and the name of the attribute with the things.
	name string
	text string
	// parent is the attribute that says whose things; empty: of the whole platform. parentText describes it.
	parent, parentText string
	parentRule         validator.String
	// filters are optional attributes that the service filters by, with their descriptions.
	filters map[string]string
	columns columns
	at      func(parent string) string
	view    func(V) D
	// gone tells of a thing that was ended; such things are left out. Nil: none.
	gone func(V) bool

	session *session
}

// Metadata names the data source.
func (d *listing[V, D]) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.name
}

// Schema describes the data source.
func (d *listing[V, D]) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		d.name: schema.ListNestedAttribute{
			Computed:            true,
			MarkdownDescription: "All of them, in the order of their names.",
			NestedObject:        schema.NestedAttributeObject{Attributes: d.columns.computed()},
		},
	}
	if d.parent != "" {
		attributes[d.parent] = schema.StringAttribute{
			Required: true, MarkdownDescription: d.parentText, Validators: []validator.String{d.parentRule},
		}
	}
	for filter, description := range d.filters {
		attributes[filter] = schema.StringAttribute{Optional: true, MarkdownDescription: description}
	}
	resp.Schema = schema.Schema{MarkdownDescription: d.text, Attributes: attributes}
}

// Configure takes the provider's session.
func (d *listing[V, D]) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.session = sessionOf(req.ProviderData, &resp.Diagnostics)
}

// Read reads all pages.
func (d *listing[V, D]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	query := url.Values{}
	for filter := range d.filters {
		var value types.String
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root(filter), &value)...)
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(filter), value)...)
		query.Set(filter, value.ValueString())
	}
	var parent types.String
	if d.parent != "" {
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root(d.parent), &parent)...)
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(d.parent), parent)...)
	}
	if resp.Diagnostics.HasError() || !d.session.ready(&resp.Diagnostics) {
		return
	}
	all, err := client.List[V](ctx, d.session.calls(ctx), d.at(parent.ValueString()), query)
	if err != nil {
		resp.Diagnostics.AddError("Cannot list "+d.name, err.Error())
		return
	}
	views := []D{}
	for _, v := range all {
		if d.gone == nil || !d.gone(v) {
			views = append(views, d.view(v))
		}
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(d.name), views)...)
}
