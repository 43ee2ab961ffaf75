package client

// Warming copies blocks of an account from one region into another.
type Warming struct {
	ID                string    `json:"id"`
	ResourceName      string    `json:"resourceName"`
	From              string    `json:"from"`
	To                string    `json:"to"`
	Select            Selection `json:"select"`
	BytesPerSecond    int64     `json:"bytesPerSecond"`
	RequestsPerSecond int64     `json:"requestsPerSecond"`
	Preheat           string    `json:"preheat"`
	// EverySeconds is null for a warming that is done once.
	EverySeconds *int64  `json:"everySeconds"`
	State        string  `json:"state"`
	Flaw         *string `json:"flaw"`
}

// Over tells whether the warming has ended for good. A standing one that fails, and tries again later, has not.
func (w Warming) Over() bool {
	switch w.State {
	case "done", "partial", "cancelled", "failed":
		return true
	}
	return false
}

// WarmingSpec asks for a standing warming.
type WarmingSpec struct {
	ResourceName      string    `json:"resourceName"`
	From              string    `json:"from"`
	To                string    `json:"to"`
	Select            Selection `json:"select"`
	BytesPerSecond    int64     `json:"bytesPerSecond,omitempty"`
	RequestsPerSecond int64     `json:"requestsPerSecond,omitempty"`
	Preheat           string    `json:"preheat,omitempty"`
	EverySeconds      int64     `json:"everySeconds,omitempty"`
}

// Selection is a choice of an account's blocks. A standing warming has no prefix: the blocks of a prefix do not change.
type Selection struct {
	Partition    *string `json:"partition,omitempty"`
	BlockTokens  *int64  `json:"blockTokens,omitempty"`
	HottestBytes *int64  `json:"hottestBytes,omitempty"`
	Used         *bool   `json:"used,omitempty"`
	StoredSince  *string `json:"storedSince,omitempty"`
	All          *bool   `json:"all,omitempty"`
}
