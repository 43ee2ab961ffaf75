package provider

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// parseFunction takes a resource name apart, or makes one of the place of a container.
type parseFunction struct{}

func newParseFunction() function.Function { return parseFunction{} }

// parsed is what the function returns.
type parsed struct {
	Name      string  `tfsdk:"name"`
	Endpoint  *string `tfsdk:"endpoint"`
	Container *string `tfsdk:"container"`
}

// Metadata names the function.
func (parseFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "parse_resource_name"
}

// Definition describes the function.
func (parseFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "The resource name in a text",
		MarkdownDescription: "Takes a resource name, or the URL of a blob container such as `azurerm_storage_container.blocks.id`, and returns " +
			"an object with `name`, `endpoint` and `container`. The name of a URL is the first label of its host: the name of the " +
			"storage account. `endpoint` and `container` are null where the text has none. Fails where the name would not be a valid one.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "text", MarkdownDescription: "A resource name, or the URL of a blob service or container."},
		},
		Return: function.ObjectReturn{AttributeTypes: map[string]attr.Type{
			"name": types.StringType, "endpoint": types.StringType, "container": types.StringType,
		}},
	}
}

// Run parses the text.
func (parseFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	result, err := parse(text)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, result)
}

func parse(text string) (parsed, error) {
	result := parsed{Name: text}
	if strings.Contains(text, "://") {
		u, err := url.Parse(text)
		if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" {
			return parsed{}, errors.New("the text is no URL of a blob service")
		}
		endpoint := strings.ToLower(u.Scheme + "://" + u.Host)
		result.Endpoint = &endpoint
		result.Name, _, _ = strings.Cut(strings.ToLower(u.Hostname()), ".")
		if container := strings.Trim(u.Path, "/"); container != "" {
			if strings.Contains(container, "/") {
				return parsed{}, errors.New("the URL has more than a container behind its host")
			}
			result.Container = &container
		}
	}
	if !resourceNamePattern.MatchString(result.Name) || twoDots.MatchString(result.Name) {
		return parsed{}, errors.New(
			"this gives no resource name: that must be 1 to 63 letters, digits, '.', '_' and '-', begin and end with a letter or digit, and hold no \"..\"")
	}
	return result, nil
}
