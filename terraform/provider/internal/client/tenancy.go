package client

// Deleted is the state of a tenant or account that was ended: its name stays taken.
const Deleted = "deleted"

// Tenant is a tenant as the service has it.
type Tenant struct {
	Name        string `json:"name"`
	DisplayName string `json:"displayName"`
	State       string `json:"state"`
	CreatedAt   string `json:"createdAt"`
	UpdatedAt   string `json:"updatedAt"`
	Version     int64  `json:"version"`
}

// TenantSpec is what a platform admin says of a tenant.
type TenantSpec struct {
	DisplayName string `json:"displayName,omitempty"`
	State       string `json:"state,omitempty"`
}

// Key is an API key without its secret.
type Key struct {
	ID        string  `json:"id"`
	Tenant    string  `json:"tenant"`
	Label     string  `json:"label"`
	CreatedAt string  `json:"createdAt"`
	ExpiresAt *string `json:"expiresAt"`
	RevokedAt *string `json:"revokedAt"`
	Successor *string `json:"successor"`
	Version   int64   `json:"version"`
}

// KeySpec makes or changes a key. The secret itself is never sent: its hash is.
type KeySpec struct {
	Label     string `json:"label,omitempty"`
	ExpiresAt string `json:"expiresAt,omitempty"`
	// SHA256 of the whole key in hexadecimal digits; empty at a change.
	SHA256 string `json:"sha256,omitempty"`
}

// Grant lets another tenant use an account.
type Grant struct {
	ResourceName string   `json:"resourceName"`
	Name         string   `json:"name"`
	Grantee      string   `json:"grantee"`
	KeyID        *string  `json:"keyId"`
	Access       []string `json:"access"`
	Partition    *string  `json:"partition"`
	CreatedAt    string   `json:"createdAt"`
	ExpiresAt    *string  `json:"expiresAt"`
	Version      int64    `json:"version"`
}

// GrantSpec is what the owner of an account says of a grant.
type GrantSpec struct {
	Grantee   string   `json:"grantee"`
	KeyID     string   `json:"keyId,omitempty"`
	Access    []string `json:"access"`
	Partition string   `json:"partition,omitempty"`
	ExpiresAt string   `json:"expiresAt,omitempty"`
}

// Placement is the cluster that serves an account in a region.
type Placement struct {
	ResourceName string `json:"resourceName"`
	Region       string `json:"region"`
	Cluster      string `json:"cluster"`
	Pinned       bool   `json:"pinned"`
	// Automatic: the platform chose the cluster, no admin did.
	Automatic bool  `json:"automatic"`
	Version   int64 `json:"version"`
}

// PlacementSpec is what a platform admin says of a placement.
type PlacementSpec struct {
	Cluster string `json:"cluster"`
	Pinned  bool   `json:"pinned"`
}
