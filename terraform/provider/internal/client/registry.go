package client

// Region is a region as the service has it.
type Region struct {
	Name        string `json:"name"`
	DisplayName string `json:"displayName"`
	CreatedAt   string `json:"createdAt"`
	Version     int64  `json:"version"`
}

// RegionSpec is what an operator says of a region.
type RegionSpec struct {
	DisplayName string `json:"displayName,omitempty"`
}

// RoundTrip is how far two regions are apart.
type RoundTrip struct {
	Region  string `json:"region"`
	Other   string `json:"other"`
	Micros  int64  `json:"micros"`
	Version int64  `json:"version"`
}

// RoundTripSpec is what an operator says of two regions.
type RoundTripSpec struct {
	Micros int64 `json:"micros"`
}

// Cluster is a cluster as the service has it.
type Cluster struct {
	Name              string   `json:"name"`
	Region            string   `json:"region"`
	State             string   `json:"state"`
	Addresses         []string `json:"addresses"`
	AdvertisedAddress *string  `json:"advertisedAddress"`
	CreatedAt         string   `json:"createdAt"`
	UpdatedAt         string   `json:"updatedAt"`
	Version           int64    `json:"version"`
}

// ClusterSpec is what an operator says of a cluster.
type ClusterSpec struct {
	Region    string   `json:"region"`
	State     string   `json:"state,omitempty"`
	Addresses []string `json:"addresses,omitempty"`
	// AdvertisedAddress is NoAddress for each process at its own address.
	AdvertisedAddress string `json:"advertisedAddress,omitempty"`
}

// NoAddress is the advertised address of a cluster whose clients reach each process at its own address.
const NoAddress = "none"

// JoinToken is a cluster's join token without its secret.
type JoinToken struct {
	ID         string  `json:"id"`
	Cluster    string  `json:"cluster"`
	Label      string  `json:"label"`
	CreatedAt  string  `json:"createdAt"`
	ExpiresAt  *string `json:"expiresAt"`
	LastUsedAt *string `json:"lastUsedAt"`
	Version    int64   `json:"version"`
}

// JoinTokenSpec asks for a join token.
type JoinTokenSpec struct {
	Label     string `json:"label,omitempty"`
	ExpiresAt string `json:"expiresAt,omitempty"`
	// Secret is the part after the id; empty: the service makes one. It is sent, since the service chooses the id, and with it
	// the text of which it keeps a hash. Data planes show it the whole token with each call anyway.
	Secret string `json:"secret,omitempty"`
}

// NewJoinToken is a join token with its secret, which the service shows once.
type NewJoinToken struct {
	ID        string  `json:"id"`
	Token     string  `json:"token"`
	Cluster   string  `json:"cluster"`
	Label     string  `json:"label"`
	ExpiresAt *string `json:"expiresAt"`
}

// Caller is the caller as the service knows it.
type Caller struct {
	Name       string  `json:"name"`
	Role       string  `json:"role"`
	Tenant     *string `json:"tenant"`
	Version    string  `json:"version"`
	SeesAll    bool    `json:"seesAll"`
	ChangesAll bool    `json:"changesAll"`
}
