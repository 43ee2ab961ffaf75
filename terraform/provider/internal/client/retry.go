package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"time"
)

const (
	firstPause   = 250 * time.Millisecond
	longestPause = 8 * time.Second
	// A server that asks for more is taken at its word up to here.
	longestRetryAfter = 2 * time.Minute
)

// backOff is the pause before a repetition: exponential, and random so that many callers do not come back at once.
func backOff(attempt int) time.Duration {
	limit := firstPause << min(attempt, 10)
	limit = min(limit, longestPause)
	return limit/2 + rand.N(limit/2)
}

// wait sleeps, or ends early with the context's error. It does not begin a sleep that the deadline would cut short.
func wait(ctx context.Context, d time.Duration) error {
	if end, ok := ctx.Deadline(); ok && time.Until(end) < d {
		return context.DeadlineExceeded
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// retryAfter reads the header of that name: seconds or a date. 0 if there is none.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	var d time.Duration
	if seconds, err := strconv.Atoi(text); err == nil {
		d = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		d = at.Sub(now)
	}
	return min(max(d, 0), longestRetryAfter)
}

// neverSent tells whether a failed attempt cannot have reached the service.
func neverSent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// outcome says what to make of one attempt.
type outcome struct {
	// repeat: the reason may pass.
	repeat bool
	// uncertain: the change may have been made.
	uncertain bool
}

// judge looks at an answer or failure of an attempt.
func judge(p *Problem, err error) outcome {
	switch {
	case err != nil && neverSent(err):
		return outcome{repeat: true}
	case err != nil:
		return outcome{repeat: true, uncertain: true}
	case p == nil:
		return outcome{}
	case p.Status == http.StatusTooManyRequests:
		return outcome{repeat: true}
	case p.Status == http.StatusServiceUnavailable:
		// The service says so itself if it does not know; a proxy that found no server sent nothing on.
		return outcome{repeat: true, uncertain: p.Type == unknownOutcome}
	case p.Status == http.StatusBadGateway || p.Status == http.StatusGatewayTimeout:
		return outcome{repeat: true, uncertain: true}
	}
	return outcome{}
}
