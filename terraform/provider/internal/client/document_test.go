package client

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// schema is a part of the OpenAPI document.
type schema struct {
	Ref        string            `yaml:"$ref"`
	Type       string            `yaml:"type"`
	Required   []string          `yaml:"required"`
	Properties map[string]schema `yaml:"properties"`
}

func document(t *testing.T) map[string]schema {
	t.Helper()
	text, err := os.ReadFile("../../../../docs/api/control-plane.yaml")
	if err != nil {
		t.Skip("the API's document is not in this checkout: " + err.Error())
	}
	var all struct {
		Components struct {
			Schemas map[string]schema `yaml:"schemas"`
		} `yaml:"components"`
	}
	if err := yaml.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all.Components.Schemas
}

// TestAnswersAreAsDocumented: each field that is read is a field of the API's document, of the same type.
func TestAnswersAreAsDocumented(t *testing.T) {
	t.Parallel()
	schemas := document(t)
	for name, value := range map[string]any{
		"RegionView": Region{}, "RoundTripView": RoundTrip{}, "ClusterView": Cluster{}, "JoinTokenView": JoinToken{},
		"NewJoinToken": NewJoinToken{}, "Caller": Caller{}, "TenantView": Tenant{}, "KeyView": Key{}, "GrantView": Grant{},
		"PlacementView": Placement{}, "AccountView": Account{}, "ReplicaView": Replica{}, "Proof": Proof{},
		"ProbeReport": ProbeReport{}, "StorageWarning": StorageWarning{}, "Step": Step{}, "Limits": Limits{}, "ReadThrough": ReadThrough{},
		"RouteView": Route{}, "LevelView": Level{}, "Target": Target{}, "FieldError": FieldError{}, "Problem": Problem{},
		"WarmingView": Warming{}, "Selection": Selection{},
	} {
		compare(t, schemas, name, value)
	}
}

// TestRequestsAreAsDocumented: each field that is sent is a field of the API's document, and none of the document is left out.
func TestRequestsAreAsDocumented(t *testing.T) {
	t.Parallel()
	schemas := document(t)
	// The provider sends the hash of a secret and never the secret.
	// Warmings that it makes are standing ones, which have no prefix.
	leftOut := map[string][]string{"ChosenKeySpec": {"secret"}, "Selection": {"prefix"}}
	for name, value := range map[string]any{
		"RegionSpec": RegionSpec{}, "RoundTripSpec": RoundTripSpec{}, "ClusterSpec": ClusterSpec{}, "JoinTokenSpec": JoinTokenSpec{},
		"TenantSpec": TenantSpec{}, "ChosenKeySpec": KeySpec{}, "GrantSpec": GrantSpec{}, "PlacementSpec": PlacementSpec{},
		"AccountSpec": AccountSpec{}, "ReplicaSpec": ReplicaSpec{}, "Limits": Limits{}, "ReadThrough": ReadThrough{},
		"WarmingSpec": WarmingSpec{}, "Selection": Selection{},
	} {
		sent := compare(t, schemas, name, value)
		for property := range schemas[name].Properties {
			if !slices.Contains(sent, property) && !slices.Contains(leftOut[name], property) {
				t.Errorf("%s.%s is never sent", name, property)
			}
		}
	}
}

// compare returns the names of the fields as JSON has them.
func compare(t *testing.T, schemas map[string]schema, name string, value any) []string {
	t.Helper()
	if len(schemas[name].Properties) == 0 {
		t.Errorf("the document has no %s", name)
	}
	var names []string
	for _, field := range reflect.VisibleFields(reflect.TypeOf(value)) {
		tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if tag == "-" {
			continue
		}
		names = append(names, tag)
		property, is := schemas[name].Properties[tag]
		if !is {
			t.Errorf("%s.%s is not in the document", name, tag)
		} else if got, want := typeOf(field.Type), property.resolve(schemas); got != want {
			t.Errorf("%s.%s is %s, in the document it is %s", name, tag, got, want)
		}
	}
	return names
}

func (s schema) resolve(schemas map[string]schema) string {
	if s.Ref != "" {
		return schemas[s.Ref[strings.LastIndex(s.Ref, "/")+1:]].resolve(schemas)
	}
	return s.Type
}

func typeOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeOf(t.Elem())
	case reflect.Slice:
		return "array"
	case reflect.Struct:
		return "object"
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	default:
		return "integer"
	}
}
