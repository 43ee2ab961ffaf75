package provider

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// states has a folder for each kind of state that providers have written since the first: a configuration, and the state that the
// provider of the time made of it, with placeholders for secrets. A new version of a schema brings a new folder; none is changed.
const states = "testdata/states"

// stateFile is as much of a state as tests need.
type stateFile struct {
	Resources []struct {
		Mode, Type, Name string
		Instances        []struct {
			SchemaVersion int64 `json:"schema_version"`
			Attributes    map[string]any
		}
	}
}

func readState(t *testing.T, file string) stateFile {
	t.Helper()
	var state stateFile
	if err := json.Unmarshal([]byte(read(t, file)), &state); err != nil {
		t.Fatal(err)
	}
	return state
}

func folders(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(states, "*"))
	if err != nil || len(all) == 0 {
		t.Fatalf("there are no states: %v", err)
	}
	return all
}

// schemas are today's, by the names of their resources.
func schemas(t *testing.T) map[string]schema.Schema {
	t.Helper()
	all := map[string]schema.Schema{}
	for _, create := range (&kvstore{}).Resources(t.Context()) {
		r := create()
		var named resource.MetadataResponse
		r.Metadata(t.Context(), resource.MetadataRequest{ProviderTypeName: typeName}, &named)
		var described resource.SchemaResponse
		r.Schema(t.Context(), resource.SchemaRequest{}, &described)
		all[named.TypeName] = described.Schema
	}
	return all
}

// TestSchemasHaveTheirFirstVersion: no state has ever needed an upgrade. A change that needs one raises the version, has an upgrader,
// adds a folder to testdata/states, and changes this test.
func TestSchemasHaveTheirFirstVersion(t *testing.T) {
	t.Parallel()
	for name, s := range schemas(t) {
		if s.Version != 0 {
			t.Errorf("%s has version %d", name, s.Version)
		}
	}
}

// TestStatesOfAllTimesAreRead: each resource of each state is taken by today's schemas, and none is missing. An attribute that is no
// more needs an upgrade: without one it would be passed over in silence.
func TestStatesOfAllTimesAreRead(t *testing.T) {
	t.Parallel()
	server := providerserver.NewProtocol6(New("test")())()
	today, seen := schemas(t), map[string]bool{}
	for _, folder := range folders(t) {
		for _, r := range readState(t, filepath.Join(folder, "terraform.tfstate")).Resources {
			seen[r.Type] = true
			for _, instance := range r.Instances {
				for name := range instance.Attributes {
					if _, has := today[r.Type].Attributes[name]; !has && instance.SchemaVersion == today[r.Type].Version {
						t.Errorf("%s: %s has no attribute %s any more", folder, r.Type, name)
					}
				}
				state, err := json.Marshal(instance.Attributes)
				if err != nil {
					t.Fatal(err)
				}
				got, err := server.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
					TypeName: r.Type, Version: instance.SchemaVersion, RawState: &tfprotov6.RawState{JSON: state},
				})
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range got.Diagnostics {
					t.Errorf("%s: %s.%s: %s: %s", folder, r.Type, r.Name, d.Summary, d.Detail)
				}
			}
		}
	}
	if len(seen) != len(today) {
		t.Errorf("the states have %d types of resources of %d: add a state", len(seen), len(today))
	}
}

// TestAccStatesOfAllTimesPlanNothing: today's code has nothing to change where an earlier provider left a state.
func TestAccStatesOfAllTimesPlanNothing(t *testing.T) {
	t.Parallel()
	s := controlPlane(t)
	for _, folder := range folders(t) {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, s)
			secret := client.NewSecret()
			given := []string{"TF_VAR_secret=" + secret}
			blobs, err := s.Folder(filepath.Base(folder))
			if err != nil {
				t.Fatal(err)
			}
			here := func(name string) string {
				return strings.ReplaceAll(read(t, filepath.Join(folder, name)), "/FOLDER", blobs)
			}
			w.write(t, "main.tf", here("main.tf"))
			w.terraform(t, given, "apply", "-auto-approve")
			w.write(t, "ready.tf", here("ready.tf"))
			end := func() {}
			if strings.Contains(here("ready.tf"), "kvstore_warming") {
				end = serving(t, s, secret, "state-warming-one", "state-warming-two")
				w.terraform(t, given, "apply", "-auto-approve")
			}
			// Elsewhere no data plane tries the account: the state says that it was waited for.
			file := filepath.Join(w.folder, "terraform.tfstate")
			w.write(t, "terraform.tfstate", aged(t, here("terraform.tfstate"), file))

			// Exit code 0 says that nothing is to do.
			w.terraform(t, given, "plan", "-detailed-exitcode")
			end()
			w.terraform(t, given, "destroy", "-auto-approve")
		})
	}
}

// aged is a state of earlier times, about the things of a state of today: ids that control plane and provider choose are theirs.
func aged(t *testing.T, earlier, today string) string {
	t.Helper()
	ids := map[string]any{}
	each(t, []byte(read(t, today)), func(address string, attributes map[string]any) { ids[address] = attributes["id"] })
	return string(each(t, []byte(earlier), func(address string, attributes map[string]any) {
		if _, has := attributes["id"]; has {
			attributes["id"] = ids[address]
		}
	}))
}

// each visits the attributes of each resource of a state, which may be changed, and returns the state.
func each(t *testing.T, state []byte, visit func(address string, attributes map[string]any)) []byte {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(state, &all); err != nil {
		t.Fatal(err)
	}
	for _, r := range all["resources"].([]any) {
		r := r.(map[string]any)
		for _, instance := range r["instances"].([]any) {
			visit(fmt.Sprint(r["type"], ".", r["name"]), instance.(map[string]any)["attributes"].(map[string]any))
		}
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return text
}
