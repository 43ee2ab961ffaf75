package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Precondition is what a change expects of the thing that it changes. The zero value expects nothing.
type Precondition struct {
	// Match is the entity tag that the thing must have; empty for any.
	Match string
	// Absent: the thing must not be there.
	Absent bool
}

// Page is a part of a list.
type Page[V any] struct {
	Items []V    `json:"items"`
	Next  string `json:"next"`
}

// Path joins parts of a path and escapes each of them.
func Path(parts ...string) string {
	var b strings.Builder
	b.WriteString("/v1")
	for _, part := range parts {
		b.WriteString("/")
		b.WriteString(url.PathEscape(part))
	}
	return b.String()
}

// Get reads a thing and its entity tag.
func Get[V any](ctx context.Context, c *Client, path string) (V, string, error) {
	return decode[V](c.do(ctx, restRequest{method: http.MethodGet, path: path}))
}

// Put makes or replaces a thing and returns it as the service has it now, with its entity tag.
func Put[V any](ctx context.Context, c *Client, path string, spec any, pre Precondition) (V, string, error) {
	return decode[V](c.do(ctx, restRequest{
		method: http.MethodPut, path: path, body: spec, match: pre.Match, absent: pre.Absent,
	}))
}

// Post asks for an action.
//
// once is the Idempotency-Key: the service acts once for each. Empty: the call is not repeated once it may have arrived.
func Post[V any](ctx context.Context, c *Client, path string, spec any, once string) (V, string, error) {
	return decode[V](c.do(ctx, restRequest{method: http.MethodPost, path: path, body: spec, once: once}))
}

// Delete ends a thing. The error is a 404 if it is not there.
func Delete(ctx context.Context, c *Client, path string, pre Precondition) error {
	_, err := c.do(ctx, restRequest{method: http.MethodDelete, path: path, match: pre.Match})
	return err
}

// List reads all pages of a list.
func List[V any](ctx context.Context, c *Client, path string, filter url.Values) ([]V, error) {
	query := url.Values{"limit": {"1000"}}
	for name, values := range filter {
		if len(values) > 0 && values[0] != "" {
			query[name] = values
		}
	}
	var all []V
	for {
		page, _, err := Get[Page[V]](ctx, c, path+"?"+query.Encode())
		if err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
		if page.Next == "" {
			return all, nil
		}
		query.Set("cursor", page.Next)
	}
}

func decode[V any](got *restResponse, err error) (V, string, error) {
	var value V
	if err != nil {
		return value, "", err
	}
	if len(got.body) > 0 {
		if err := json.Unmarshal(got.body, &value); err != nil {
			return value, "", fmt.Errorf("the control plane's answer cannot be read: %w", err)
		}
	}
	return value, got.etag, nil
}
