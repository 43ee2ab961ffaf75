package provider

import (
	"context"
	"regexp"
	"sort"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var (
	namePattern         = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	resourceNamePattern = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$`)
	twoDots             = regexp.MustCompile(`\.\.`)
	plainTextPattern    = regexp.MustCompile(`^[^\x00-\x1F\x7F]{1,200}$`)
)

// isName holds for names of tenants, regions, clusters and grants.
func isName() validator.String {
	return matches(namePattern, "must be 1 to 63 of a-z, 0-9 and '-', and begin and end with a letter or digit")
}

// isResourceName holds for names of storage accounts.
func isResourceName() validator.String {
	return stringvalidator.All(
		matches(resourceNamePattern,
			"must be 1 to 63 letters, digits, '.', '_' and '-', and begin and end with a letter or digit"),
		refusesMatch(twoDots, `must not hold ".."`),
	)
}

// isPlainText holds for texts for people.
func isPlainText() validator.String {
	return matches(plainTextPattern, "must be 1 to 200 characters, none of them control characters")
}

// matches requires a text to have a match.
func matches(pattern *regexp.Regexp, message string) validator.String {
	return textRule{pattern, message, true}
}

// refusesMatch refuses a text that has a match.
func refusesMatch(pattern *regexp.Regexp, message string) validator.String {
	return textRule{pattern, message, false}
}

// oneOf requires a text to be one of some words.
func oneOf(words ...string) validator.String {
	return matches(regexp.MustCompile("^("+strings.Join(words, "|")+")$"), "must be one of: "+strings.Join(words, ", "))
}

// textRule never says the text: it may be a secret, also where none belongs.
type textRule struct {
	pattern *regexp.Regexp
	message string
	wanted  bool
}

// Description says the rule.
func (v textRule) Description(context.Context) string { return "value " + v.message }

// MarkdownDescription says the rule.
func (v textRule) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString holds the value against the rule.
func (v textRule) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if v.pattern.MatchString(req.ConfigValue.ValueString()) != v.wanted {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid Attribute Value", "Attribute "+req.Path.String()+" "+v.message+".")
	}
}

// instant keeps the configured way to write an instant as long as the service has the same instant.
func instant(current timetypes.RFC3339, served *string, diags *diag.Diagnostics) timetypes.RFC3339 {
	if served == nil {
		return timetypes.NewRFC3339Null()
	}
	theirs, err := time.Parse(time.RFC3339, *served)
	if ours, bad := current.ValueRFC3339Time(); !current.IsNull() && !current.IsUnknown() && !bad.HasError() && err == nil &&
		theirs.Equal(ours.Truncate(time.Microsecond)) {
		return current
	}
	value, more := timetypes.NewRFC3339Value(*served)
	diags.Append(more...)
	return value
}

// set is a set of texts; an empty one if there are none.
func set(ctx context.Context, values []string, diags *diag.Diagnostics) types.Set {
	if values == nil {
		values = []string{}
	}
	s, more := types.SetValueFrom(ctx, types.StringType, values)
	diags.Append(more...)
	return s
}

// texts are the elements of a set in their order; empty if it is null or unknown.
func texts(ctx context.Context, s types.Set, diags *diag.Diagnostics) []string {
	values := []string{}
	if s.IsNull() || s.IsUnknown() {
		return values
	}
	diags.Append(s.ElementsAs(ctx, &values, false)...)
	sort.Strings(values)
	return values
}
