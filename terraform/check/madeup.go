package main

import (
	"path/filepath"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// madeUp has texts of the tests' mocks by resource and attribute: values that Azure would compute, in Azure's form.
type madeUp map[string]map[string]string

func readMocks(folder string) (madeUp, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.tfmock.hcl"))
	if err != nil {
		return nil, err
	}
	made := madeUp{}
	for _, file := range files {
		body, _, err := readHcl(file)
		if err != nil {
			return nil, err
		}
		for _, mock := range body.Blocks {
			defaults, diagnostics := mock.Body.Attributes["defaults"].Expr.Value(nil)
			if diagnostics.HasErrors() {
				return nil, diagnostics
			}
			texts := map[string]string{}
			for name, value := range defaults.AsValueMap() {
				if value.Type() == cty.String {
					texts[name] = value.AsString()
				}
			}
			made[mock.Labels[0]] = texts
		}
	}
	return made, nil
}

// fill makes a state of a plan: unknown values are made up.
func (m madeUp) fill(resource string) valueChange {
	return func(planned tftypes.Value, at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		kind := value.Type()
		switch {
		case value.IsKnown():
			return value, nil
		case kind.Is(tftypes.Bool):
			return tftypes.NewValue(kind, false), nil
		case kind.Is(tftypes.Number):
			return tftypes.NewValue(kind, 1), nil
		case kind.Is(tftypes.String):
			return tftypes.NewValue(kind, m.text(resource, planned, at)), nil
		case kind.Is(tftypes.Map{}):
			return tftypes.NewValue(kind, map[string]tftypes.Value{}), nil
		}
		return tftypes.NewValue(kind, []tftypes.Value{}), nil
	}
}

func (m madeUp) text(resource string, planned tftypes.Value, at *tftypes.AttributePath) string {
	beside := func(at *tftypes.AttributePath, name string) (known string) {
		found, _, _ := tftypes.WalkAttributePath(planned, at.WithoutLastStep().WithAttributeName(name))
		if value, is := found.(tftypes.Value); is && value.IsKnown() {
			_ = value.As(&known)
		}
		return known
	}
	attribute := string(at.LastStep().(tftypes.AttributeName))
	made, is := m[resource][attribute]
	if !is {
		made = "made-up-" + attribute + "-mocked"
	}
	top := tftypes.NewAttributePath().WithAttributeName(attribute)
	if group := beside(top, "resource_group_name"); group != "" {
		made = strings.ReplaceAll(made, "/resourceGroups/mocked", "/resourceGroups/"+group)
	}
	if len(at.Steps()) > 1 {
		// The id of a block in the resource, such as the frontend of a load balancer.
		made += "/" + attribute + "/" + beside(at, "name")
	}
	if name := beside(top, "name"); name != "" {
		made = strings.ReplaceAll(made, "mocked", name)
	}
	return made
}
