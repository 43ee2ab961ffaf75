package provider

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// report turns an error of a call into diagnostics, at the attributes that the service names.
func (r *managed[M, S, V]) report(
	ctx context.Context, diags *diag.Diagnostics, m *M, verb string, known attributes, err error,
) {
	subject := r.kind.noun + " " + r.kind.name(m)
	var theirs *conflict
	switch {
	case errors.As(err, &theirs):
		diags.AddError("The "+subject+" has changed meanwhile", theirs.Error())
	case client.Stale(err):
		diags.AddError("The "+subject+" has changed meanwhile", "Plan again. The control plane says: "+err.Error())
	case client.Hidden(err):
		hidden(diags, r.session, subject)
	default:
		refused(ctx, diags, "Cannot "+verb+" the "+subject, r.where(m), known, err)
	}
}

// hidden says that a thing may be there: it is never taken for deleted.
func hidden(diags *diag.Diagnostics, s *session, subject string) {
	by := "This token"
	if s != nil && s.caller != nil {
		by = "The token of " + s.caller.Name + " (role " + s.caller.Role + ")"
	}
	diags.AddError("This token may not see the "+subject,
		by+" sees no "+subject+": it was deleted, or the token has not the rights for it. "+
			"The provider cannot tell which, and keeps it in the state. Use a token that sees it; "+
			"if it is really gone: terraform state rm ADDRESS.")
}

// attributes is a schema, as far as it tells whether it has an attribute.
type attributes interface {
	TypeAtPath(context.Context, path.Path) (attr.Type, diag.Diagnostics)
}

func (r *managed[M, S, V]) where(m *M) func(string) path.Path {
	return func(field string) path.Path {
		if r.kind.where != nil {
			if at := r.kind.where(m, field); !at.Equal(path.Empty()) {
				return at
			}
		}
		return attribute(field)
	}
}

// refused reports an error of the service at its fields.
func refused(
	ctx context.Context, diags *diag.Diagnostics, summary string, where func(string) path.Path, known attributes, err error,
) {
	p := client.AsProblem(err)
	if p == nil || len(p.Errors) == 0 {
		detail := err.Error()
		if p != nil && p.Status == http.StatusForbidden {
			detail += ". The token has not the rights for it."
		}
		diags.AddError(summary, detail)
		return
	}
	for _, e := range p.Errors {
		at := where(e.Field)
		if _, absent := known.TypeAtPath(ctx, at); absent.HasError() || len(at.Steps()) == 0 {
			diags.AddError(summary, e.Field+" "+e.Detail)
			continue
		}
		diags.AddAttributeError(line(at), summary, at.String()+" "+e.Detail)
	}
}

// line is the attribute of the resource that a path is in: Terraform marks its line, and marks nothing for a path below it.
func line(at path.Path) path.Path {
	for len(at.Steps()) > 1 {
		at = at.ParentPath()
	}
	return at
}

// attribute is the path of a field by its name: readThrough.from is read_through.from; an index ends it, since what is a list
// for the service is a set or a map in Terraform.
func attribute(field string) path.Path {
	at := path.Empty()
	for i, part := range strings.Split(field, ".") {
		name, _, indexed := strings.Cut(part, "[")
		if i == 0 {
			at = path.Root(snake(name))
		} else {
			at = at.AtName(snake(name))
		}
		if indexed {
			return at
		}
	}
	return at
}

// snake is homeRegion as home_region.
func snake(name string) string {
	var b strings.Builder
	for _, c := range name {
		if unicode.IsUpper(c) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// refuseDeletion says how a protected thing is deleted.
func refuseDeletion(diags *diag.Diagnostics, noun, name string) {
	diags.AddAttributeError(path.Root("deletion_protection"), "The "+noun+" "+name+" is protected",
		"Set deletion_protection = false and apply, then delete it.")
}
