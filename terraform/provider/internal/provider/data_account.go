package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

type accountData struct {
	Name              string                 `tfsdk:"name"`
	Tenant            string                 `tfsdk:"tenant"`
	HomeRegion        string                 `tfsdk:"home_region"`
	AllowedRegions    []string               `tfsdk:"allowed_regions"`
	AvoidedRegions    []string               `tfsdk:"avoided_regions"`
	ReadThrough       *readThroughData       `tfsdk:"read_through"`
	MaxOfflineSeconds int64                  `tfsdk:"max_offline_seconds"`
	Ready             bool                   `tfsdk:"ready"`
	Operations        int64                  `tfsdk:"operations"`
	BytesPerSecond    int64                  `tfsdk:"bytes_per_second"`
	Replicas          map[string]replicaData `tfsdk:"replicas"`
	CreatedAt         string                 `tfsdk:"created_at"`
	UpdatedAt         string                 `tfsdk:"updated_at"`
}

type readThroughData struct {
	From         string `tfsdk:"from"`
	WithinMillis *int64 `tfsdk:"within_millis"`
}

type replicaData struct {
	Endpoint        string        `tfsdk:"endpoint"`
	Container       *string       `tfsdk:"container"`
	Credential      *string       `tfsdk:"credential"`
	CreateContainer bool          `tfsdk:"create_container"`
	Vouched         bool          `tfsdk:"vouched"`
	State           string        `tfsdk:"state"`
	Proof           *proofData    `tfsdk:"proof"`
	TriedAt         *string       `tfsdk:"tried_at"`
	Failure         *string       `tfsdk:"failure"`
	Warnings        []warningData `tfsdk:"warnings"`
}

type warningData struct {
	Name  string `tfsdk:"name"`
	Known bool   `tfsdk:"known"`
	Text  string `tfsdk:"text"`
}

type proofData struct {
	Blob    string `tfsdk:"blob"`
	Content string `tfsdk:"content"`
}

var accountColumns = columns{
	"name":            text("Name by which clients find the account."),
	"tenant":          text("Tenant that owns the account."),
	"home_region":     text("Region of the replica that is home."),
	"allowed_regions": words("Regions where it may be served; empty: everywhere."),
	"avoided_regions": words("Regions where it is not served for now."),
	"read_through": {text: "Another replica, that a block is fetched from where one does not have it; null: none.", nested: columns{
		"from": text("Region of that replica."), "within_millis": number("Longest time that a call waits for it, in milliseconds."),
	}},
	"max_offline_seconds": number("For how long a data plane that does not reach the control plane goes on serving it."),
	"ready":               yesNo("Whether each replica can be used."),
	"operations":          number("Limit of calls that move blocks, served at a time by a data plane; 0: none."),
	"bytes_per_second":    number("Limit of bytes read and written together in a second by a data plane; 0: none."),
	"replicas": {text: "Where the blobs are, by region.", many: inMap, nested: columns{
		"endpoint":         text("URL of the blob service, or a folder."),
		"container":        text("Container of the blobs; null for a folder."),
		"credential":       text("Reference to the credential; null for a folder."),
		"create_container": yesNo("Whether a missing container is made."),
		"vouched":          yesNo("Whether a platform admin vouches that the container is the tenant's."),
		"state":            text("`unproven`, `ready` or `failing`."),
		"proof": {text: "Blob that the tenant is to put there; null once it was accepted.", nested: columns{
			"blob": text("Name of the blob."), "content": text("Content of the blob."),
		}},
		"tried_at": text("When a data plane last tried the storage; null: not yet."),
		"failure":  text("What the last trial failed at; null if it did not fail."),
		"warnings": {text: "Settings of the storage that cost its owner or keep the service from its work, as the last trial saw " +
			"them; null if nobody looked at them.", many: inList, nested: columns{
			"name": text(warningName), "known": yesNo(warningKnown), "text": text(warningText),
		}},
	}},
	"created_at": text("When it was registered."),
	"updated_at": text("When it was last changed."),
}

func viewAccount(v client.Account) accountData {
	d := accountData{
		Name: v.ResourceName, Tenant: v.Tenant, HomeRegion: v.HomeRegion,
		AllowedRegions: v.AllowedRegions, AvoidedRegions: v.AvoidedRegions, MaxOfflineSeconds: v.MaxOfflineSeconds,
		Ready: v.Ready, Operations: v.Limits.Operations, BytesPerSecond: v.Limits.BytesPerSecond,
		Replicas: map[string]replicaData{}, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt,
	}
	if v.ReadThrough != nil {
		d.ReadThrough = &readThroughData{v.ReadThrough.From, v.ReadThrough.WithinMillis}
	}
	for _, r := range v.Replicas {
		d.Replicas[r.Region] = viewReplica(r)
	}
	return d
}

func viewReplica(r client.Replica) replicaData {
	d := replicaData{
		Endpoint: r.Endpoint, Container: r.Container, Credential: r.Credential,
		CreateContainer: r.CreateContainer, Vouched: r.Vouched, State: r.State,
	}
	if r.Proof != nil {
		d.Proof = &proofData{r.Proof.Blob, r.Proof.Content}
	}
	if r.Report != nil {
		d.TriedAt = &r.Report.At
		if step := failed(r.Report); step != nil {
			text := step.Name + ": " + step.Reason
			d.Failure = &text
		}
		if r.Report.Warnings != nil {
			d.Warnings = []warningData{}
		}
		for _, w := range r.Report.Warnings {
			d.Warnings = append(d.Warnings, warningData(w))
		}
	}
	return d
}

func isEndedAccount(v client.Account) bool { return v.State == client.Deleted }

func newAccountData() datasource.DataSource {
	return &lookup[client.Account, accountData]{
		name: "account", text: "One storage account, with its limits and the state of its storage.",
		keys: map[string]validator.String{"name": isResourceName()}, columns: accountColumns,
		get:  getAt[client.Account](func(k map[string]string) string { return client.Path("accounts", k["name"]) }),
		view: viewAccount, gone: isEndedAccount,
	}
}

func newAccountsData() datasource.DataSource {
	return &listing[client.Account, accountData]{
		name: "accounts", text: "All storage accounts that the token sees, without deleted ones.", columns: accountColumns,
		filters: map[string]string{
			"tenant": "Only those of this tenant.", "region": "Only those with a replica in this region.",
		},
		at: func(string) string { return client.Path("accounts") }, view: viewAccount, gone: isEndedAccount,
	}
}
