package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// columns describe the attributes of a data source by name. A column is of a simple type, or has attributes of its own.
type columns map[string]column

type column struct {
	kind attr.Type
	text string
	// nested attributes, and how many such objects there are.
	nested columns
	many   arity
}

type arity int

const (
	single arity = iota
	inList
	inMap
)

func text(description string) column   { return column{kind: types.StringType, text: description} }
func number(description string) column { return column{kind: types.Int64Type, text: description} }
func yesNo(description string) column  { return column{kind: types.BoolType, text: description} }
func words(description string) column {
	return column{kind: types.SetType{ElemType: types.StringType}, text: description}
}

// computed are the attributes as the service fills them.
func (c columns) computed() map[string]schema.Attribute {
	all := map[string]schema.Attribute{}
	for name, column := range c {
		all[name] = column.attribute()
	}
	return all
}

func (c column) attribute() schema.Attribute {
	if c.nested != nil {
		return c.object()
	}
	switch c.kind {
	case types.Int64Type:
		return schema.Int64Attribute{Computed: true, MarkdownDescription: c.text}
	case types.BoolType:
		return schema.BoolAttribute{Computed: true, MarkdownDescription: c.text}
	case types.StringType:
		return schema.StringAttribute{Computed: true, MarkdownDescription: c.text}
	default:
		return schema.SetAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: c.text}
	}
}

func (c column) object() schema.Attribute {
	attributes := c.nested.computed()
	switch c.many {
	case inList:
		return schema.ListNestedAttribute{
			Computed: true, MarkdownDescription: c.text, NestedObject: schema.NestedAttributeObject{Attributes: attributes},
		}
	case inMap:
		return schema.MapNestedAttribute{
			Computed: true, MarkdownDescription: c.text, NestedObject: schema.NestedAttributeObject{Attributes: attributes},
		}
	default:
		return schema.SingleNestedAttribute{Computed: true, MarkdownDescription: c.text, Attributes: attributes}
	}
}
