package provider

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// triedAccount is an account as the service answers: one storage was looked at, one is a folder, one was not tried yet.
const triedAccount = `{
  "resourceName": "acme-cache", "tenant": "acme", "homeRegion": "us-1", "state": "active",
  "replicas": [
    {"region": "us-1", "endpoint": "https://acmeus.blob.core.windows.net", "report": {
      "at": "2026-11-26T20:31:36Z", "by": "node-1", "ok": true, "steps": [], "warnings": [
        {"name": "versioning", "known": true, "text": "each log stays and is paid for"},
        {"name": "soft_delete", "known": false, "text": "cannot be seen: versions hide it"}]}},
    {"region": "ap-1", "endpoint": "file:///storage", "report": {
      "at": "2026-11-26T20:31:36Z", "by": "node-1", "ok": true, "steps": []}},
    {"region": "eu-1", "endpoint": "https://acmeeu.blob.core.windows.net", "report": {
      "at": "2026-11-26T20:31:36Z", "by": "node-1", "ok": false, "steps": [], "warnings": [
        {"name": "legal_hold", "known": true, "text": "writes fail; end the hold"}]}},
    {"region": "sa-1", "endpoint": "https://acmesa.blob.core.windows.net"}
  ]
}`

func tried(t *testing.T) client.Account {
	t.Helper()
	var account client.Account
	if err := json.Unmarshal([]byte(triedAccount), &account); err != nil {
		t.Fatal(err)
	}
	return account
}

// TestWarningsOfAllReplicasAreInTheState: by region, each with whether the storage has the setting.
func TestWarningsOfAllReplicasAreInTheState(t *testing.T) {
	t.Parallel()
	var m accountModel
	var diags diag.Diagnostics
	fillAccount(t.Context(), &m, tried(t), &diags)
	var got []struct {
		Region string `tfsdk:"region"`
		Name   string `tfsdk:"name"`
		Known  bool   `tfsdk:"known"`
		Text   string `tfsdk:"text"`
	}
	diags.Append(m.Warnings.ElementsAs(t.Context(), &got, false)...)
	if diags.HasError() {
		t.Fatal(diags)
	}
	var names []string
	for _, w := range got {
		known := " unknown"
		if w.Known {
			known = " known"
		}
		names = append(names, w.Region+" "+w.Name+known+": "+w.Text)
	}
	want := []string{
		"eu-1 legal_hold known: writes fail; end the hold",
		"us-1 versioning known: each log stays and is paid for",
		"us-1 soft_delete unknown: cannot be seen: versions hide it",
	}
	if !reflect.DeepEqual(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

// TestAnAccountWithoutWarningsHasAnEmptyList: a list that is null would be another value after each refresh.
func TestAnAccountWithoutWarningsHasAnEmptyList(t *testing.T) {
	t.Parallel()
	var m accountModel
	var diags diag.Diagnostics
	fillAccount(t.Context(), &m, client.Account{Replicas: []client.Replica{{Region: "eu-1"}}}, &diags)
	if m.Warnings.IsNull() || m.Warnings.IsUnknown() || len(m.Warnings.Elements()) != 0 {
		t.Errorf("got %s", m.Warnings)
	}
}

// TestTheDataSourceTellsWhetherAnybodyLooked: null if nobody did.
func TestTheDataSourceTellsWhetherAnybodyLooked(t *testing.T) {
	t.Parallel()
	replicas := viewAccount(tried(t)).Replicas
	if got := replicas["us-1"].Warnings; len(got) != 2 || got[1] != (warningData{"soft_delete", false, "cannot be seen: versions hide it"}) {
		t.Errorf("got %v", got)
	}
	for _, region := range []string{"ap-1", "sa-1"} {
		if replicas[region].Warnings != nil {
			t.Errorf("%s: got %v", region, replicas[region].Warnings)
		}
	}
}
