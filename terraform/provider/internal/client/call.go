package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// An answer of more bytes is none of ours.
const longestAnswer = 64 << 20

// restRequest is one request, which may take several attempts.
type restRequest struct {
	method string
	path   string // with its query
	body   any    // nil for none
	// match is the entity tag of If-Match; empty for none.
	match string
	// absent sends If-None-Match: *.
	absent bool
	// once is the Idempotency-Key of a POST: without one a POST is not repeated after it may have been received.
	once string
}

// restResponse is a success.
type restResponse struct {
	status int
	etag   string
	body   []byte
}

// do makes a call, repeats it while that is safe and useful, and returns the answer or a *Problem or another error.
func (c *Client) do(ctx context.Context, r restRequest) (*restResponse, error) {
	var body []byte
	if r.body != nil {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			return nil, fmt.Errorf("%s %s: %w", r.method, r.path, err)
		}
	}
	uncertain := false
	for attempt := 0; ; attempt++ {
		began := time.Now()
		got, after, p, err := c.attempt(ctx, r, body)
		c.log(r, attempt, began, got, p, err)
		if got != nil {
			return got, nil
		}
		verdict := judge(p, err)
		uncertain = uncertain || verdict.uncertain
		if p != nil {
			p.Uncertain = uncertain
		}
		safe := r.method != http.MethodPost || r.once != "" || !verdict.uncertain
		if ctx.Err() != nil || !verdict.repeat || !safe || attempt >= c.retries {
			return nil, c.failure(r, attempt, p, err)
		}
		if late := wait(ctx, max(after, c.pause(attempt))); late != nil {
			return nil, c.failure(r, attempt, p, err)
		}
	}
}

// failure is the error that ends a call.
func (c *Client) failure(r restRequest, attempt int, p *Problem, err error) error {
	if p != nil {
		if attempt == 0 {
			return p
		}
		return fmt.Errorf("after %d attempts: %w", attempt+1, p)
	}
	return fmt.Errorf("%s %s at %s, after %d attempts: %w", r.method, r.path, c.base, attempt+1, err)
}

// attempt sends a request once. Exactly one of the answer, the problem and the error is present.
func (c *Client) attempt(ctx context.Context, r restRequest, body []byte) (*restResponse, time.Duration, *Problem, error) {
	ctx, cancel := context.WithTimeout(ctx, c.perTry)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, r.method, c.base.String()+r.path, bytes.NewReader(body))
	if err != nil {
		return nil, 0, nil, err
	}
	c.headers(request.Header, r, body != nil)
	response, err := c.http.Do(request)
	if err != nil {
		return nil, 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, longestAnswer))
	if err != nil {
		return nil, 0, nil, err
	}
	if response.StatusCode/100 == 2 {
		return &restResponse{response.StatusCode, response.Header.Get("ETag"), text}, 0, nil, nil
	}
	return nil, retryAfter(response.Header, time.Now()), problem(response.StatusCode, text), nil
}

func (c *Client) headers(h http.Header, r restRequest, hasBody bool) {
	h.Set("Accept", "application/json")
	h.Set("User-Agent", c.agent)
	if c.token != "" {
		h.Set("Authorization", "Bearer "+c.token)
	}
	if hasBody {
		h.Set("Content-Type", "application/json")
	}
	if r.match != "" {
		h.Set("If-Match", r.match)
	}
	if r.absent {
		h.Set("If-None-Match", "*")
	}
	if r.once != "" {
		h.Set("Idempotency-Key", r.once)
	}
}

func (c *Client) log(r restRequest, attempt int, began time.Time, got *restResponse, p *Problem, err error) {
	if c.logRecord == nil {
		return
	}
	record := Record{Method: r.method, Path: r.path, Attempt: attempt + 1, Took: time.Since(began), Err: err}
	if got != nil {
		record.Status = got.status
	} else if p != nil {
		record.Status = p.Status
	}
	c.logRecord(record)
}
