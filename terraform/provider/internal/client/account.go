package client

// Account is a storage account as the service has it.
type Account struct {
	ResourceName      string       `json:"resourceName"`
	Tenant            string       `json:"tenant"`
	HomeRegion        string       `json:"homeRegion"`
	AllowedRegions    []string     `json:"allowedRegions"`
	AvoidedRegions    []string     `json:"avoidedRegions"`
	ReadThrough       *ReadThrough `json:"readThrough"`
	MaxOfflineSeconds int64        `json:"maxOfflineSeconds"`
	State             string       `json:"state"`
	// Ready: each replica can be used.
	Ready     bool      `json:"ready"`
	Limits    Limits    `json:"limits"`
	Replicas  []Replica `json:"replicas"`
	CreatedAt string    `json:"createdAt"`
	UpdatedAt string    `json:"updatedAt"`
	Version   int64     `json:"version"`
}

// AccountSpec is what an admin says of an account.
type AccountSpec struct {
	Tenant            string        `json:"tenant,omitempty"`
	HomeRegion        string        `json:"homeRegion,omitempty"`
	AllowedRegions    []string      `json:"allowedRegions"`
	AvoidedRegions    []string      `json:"avoidedRegions"`
	ReadThrough       *ReadThrough  `json:"readThrough,omitempty"`
	MaxOfflineSeconds *int64        `json:"maxOfflineSeconds,omitempty"`
	Replicas          []ReplicaSpec `json:"replicas"`
}

// ReadThrough names another replica, that a block is fetched from where one does not have it.
type ReadThrough struct {
	From         string `json:"from"`
	WithinMillis *int64 `json:"withinMillis,omitempty"`
}

// Limits are what an account may take of one data plane; 0 is no limit.
type Limits struct {
	Operations     int64 `json:"operations"`
	BytesPerSecond int64 `json:"bytesPerSecond"`
}

// Replica is where an account's blobs are in one region.
type Replica struct {
	Region          string       `json:"region"`
	Endpoint        string       `json:"endpoint"`
	Container       *string      `json:"container"`
	Credential      *string      `json:"credential"`
	CreateContainer bool         `json:"createContainer"`
	Vouched         bool         `json:"vouched"`
	State           string       `json:"state"`
	Proof           *Proof       `json:"proof"`
	Report          *ProbeReport `json:"report"`
}

// ReplicaSpec is what an admin says of a replica.
type ReplicaSpec struct {
	Region          string `json:"region"`
	Endpoint        string `json:"endpoint"`
	Container       string `json:"container,omitempty"`
	Credential      string `json:"credential,omitempty"`
	CreateContainer bool   `json:"createContainer,omitempty"`
	Vouched         bool   `json:"vouched,omitempty"`
}

// Proof is the blob by which the owner of a container shows that it is theirs.
type Proof struct {
	Blob    string `json:"blob"`
	Content string `json:"content"`
}

// ProbeReport is what a data plane found when it tried a replica.
type ProbeReport struct {
	At    string `json:"at"`
	By    string `json:"by"`
	OK    bool   `json:"ok"`
	Steps []Step `json:"steps"`
	// Warnings are null if nobody looked at the settings of the storage.
	Warnings []StorageWarning `json:"warnings"`
}

// StorageWarning is a setting of a storage that an admin should know of.
type StorageWarning struct {
	Name string `json:"name"`
	// Known: the storage has it. Else the credential is not told.
	Known bool   `json:"known"`
	Text  string `json:"text"`
}

// Step is a part of a trial.
type Step struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Reason string `json:"reason"`
	Millis int64  `json:"millis"`
}

// Route tells which processes serve an account for clients of a region.
type Route struct {
	ResourceName string  `json:"resourceName"`
	Version      string  `json:"version"`
	Region       string  `json:"region"`
	Levels       []Level `json:"levels"`
}

// Level is a group of processes of one region; a client goes to the next level as the one before is full.
type Level struct {
	Region          string   `json:"region"`
	RoundTripMicros int64    `json:"roundTripMicros"`
	Share           int64    `json:"share"`
	Panic           bool     `json:"panic"`
	Targets         []Target `json:"targets"`
}

// Target is one process.
type Target struct {
	Cluster string `json:"cluster"`
	Process string `json:"process"`
	Address string `json:"address"`
	Weight  int64  `json:"weight"`
}
