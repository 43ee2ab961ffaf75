package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// scripted answers each request by the next of these; the last one goes on.
func scripted(t *testing.T, answers ...http.HandlerFunc) (*Client, *[]*http.Request) {
	t.Helper()
	var seen []*http.Request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		seen = append(seen, r)
		answers[min(len(seen), len(answers))-1](w, r)
	}))
	t.Cleanup(server.Close)
	return to(t, server.URL), &seen
}

func to(t *testing.T, url string) *Client {
	t.Helper()
	c, err := New(Options{Endpoint: url, Token: "kva_secret-of-the-test", MaxRetries: 5, RequestTimeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	c.pause = func(int) time.Duration { return time.Millisecond }
	return c
}

func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", `"7"`)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func hangsUp(w http.ResponseWriter, _ *http.Request) {
	conn, _, _ := w.(http.Hijacker).Hijack()
	_ = conn.Close()
}

const region = `{"name":"eu-1","displayName":"Frankfurt","version":7}`

func TestRepeats(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]http.HandlerFunc{
		"429":               says(429, `{"title":"busy"}`),
		"502":               says(502, "<html>"),
		"503":               says(503, `{"title":"away"}`),
		"504":               says(504, ""),
		"a lost connection": hangsUp,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, seen := scripted(t, first, first, says(200, region))
			got, etag, err := Put[Region](t.Context(), c, Path("regions", "eu-1"), RegionSpec{DisplayName: "Frankfurt"}, Precondition{Absent: true})
			if err != nil || got.DisplayName != "Frankfurt" || etag != `"7"` {
				t.Fatalf("got %v %s, %v", got, etag, err)
			}
			if len(*seen) != 3 {
				t.Fatalf("%d attempts", len(*seen))
			}
			for _, r := range *seen {
				body, _ := io.ReadAll(r.Body)
				if string(body) != `{"displayName":"Frankfurt"}` || r.Header.Get("If-None-Match") != "*" {
					t.Errorf("sent %s with %v", body, r.Header)
				}
			}
		})
	}
}

func TestRepeatsNothingElse(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 400, 401, 403, 404, 409, 412, 500} {
		c, seen := scripted(t, says(status, `{"detail":"no"}`))
		_, _, err := Get[Region](t.Context(), c, Path("regions", "eu-1"))
		if !HasStatus(err, status) || len(*seen) != 1 {
			t.Errorf("%d: %d attempts, %v", status, len(*seen), err)
		}
	}
}

func TestPostIsRepeatedOnlyWhereItActsOnce(t *testing.T) {
	t.Parallel()
	c, seen := scripted(t, hangsUp, says(201, `{"id":"a"}`))
	if _, _, err := Post[NewJoinToken](t.Context(), c, "/v1/x", nil, ""); err == nil || len(*seen) != 1 {
		t.Errorf("without a key: %d attempts, %v", len(*seen), err)
	}
	c, seen = scripted(t, hangsUp, says(201, `{"id":"a"}`))
	if _, _, err := Post[NewJoinToken](t.Context(), c, "/v1/x", nil, "once"); err != nil || len(*seen) != 2 {
		t.Errorf("with a key: %d attempts, %v", len(*seen), err)
	}
	for _, r := range *seen {
		if r.Header.Get("Idempotency-Key") != "once" {
			t.Error("the key is missing")
		}
	}
	c, seen = scripted(t, says(503, `{"title":"nothing was changed"}`), says(201, `{"id":"a"}`))
	if _, _, err := Post[NewJoinToken](t.Context(), c, "/v1/x", nil, ""); err != nil || len(*seen) != 2 {
		t.Errorf("nothing was changed: %d attempts, %v", len(*seen), err)
	}
}

func TestConnectionRefusedIsRepeated(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	c := to(t, "http://"+address)
	var records []Record
	c = c.WithLog(func(r Record) { records = append(records, r) })
	_, _, err = Post[NewJoinToken](t.Context(), c, "/v1/x", nil, "")
	if err == nil || len(records) != 6 {
		t.Fatalf("%d attempts, %v", len(records), err)
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	c, _ := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(503)
	}, says(200, region))
	began := time.Now()
	if _, _, err := Get[Region](t.Context(), c, "/v1/x"); err != nil || time.Since(began) < time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	date := http.Header{"Retry-After": {time.Unix(1000, 0).UTC().Format(http.TimeFormat)}}
	if got := retryAfter(date, time.Unix(990, 0)); got != 10*time.Second {
		t.Errorf("a date is %v", got)
	}
	if got := retryAfter(http.Header{"Retry-After": {"99999"}}, time.Now()); got != longestRetryAfter {
		t.Errorf("too long is %v", got)
	}
}

func TestDeadlineEndsTheWait(t *testing.T) {
	t.Parallel()
	c, seen := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(503)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	began := time.Now()
	_, _, err := Get[Region](ctx, c, "/v1/x")
	if !HasStatus(err, 503) || len(*seen) != 1 || time.Since(began) > 4*time.Second {
		t.Errorf("%d attempts in %v, %v", len(*seen), time.Since(began), err)
	}
}

func TestUncertaintyIsTold(t *testing.T) {
	t.Parallel()
	c, _ := scripted(t, hangsUp, says(412, `{"detail":"changed"}`))
	_, _, err := Put[Region](t.Context(), c, "/v1/x", nil, Precondition{Absent: true})
	if !Stale(err) || !AsProblem(err).Uncertain {
		t.Errorf("after a lost answer: %v", err)
	}
	c, _ = scripted(t, says(503, `{"type":"urn:kvstore:problem:unavailable"}`), says(412, `{"detail":"changed"}`))
	_, _, err = Put[Region](t.Context(), c, "/v1/x", nil, Precondition{Absent: true})
	if !Stale(err) || AsProblem(err).Uncertain {
		t.Errorf("nothing was changed: %v", err)
	}
	c, _ = scripted(t, says(503, `{"type":"urn:kvstore:problem:unknown"}`), says(412, `{"detail":"changed"}`))
	_, _, err = Put[Region](t.Context(), c, "/v1/x", nil, Precondition{Absent: true})
	if !Stale(err) || !AsProblem(err).Uncertain {
		t.Errorf("the service does not know: %v", err)
	}
}

func TestNotFoundIsGoneOnlyIfItWouldBeSeen(t *testing.T) {
	t.Parallel()
	for body, gone := range map[string]bool{
		`{"detail":"no","visible":true}`:  true,
		`{"detail":"no","visible":false}`: false,
		`{"detail":"no"}`:                 false,
		`<html>no such host</html>`:       false,
	} {
		c, _ := scripted(t, says(404, body))
		_, _, err := Get[Region](t.Context(), c, "/v1/x")
		if Gone(err) != gone || Hidden(err) == gone {
			t.Errorf("%s: %v", body, err)
		}
	}
	if Gone(errors.New("x")) || Hidden(errors.New("x")) {
		t.Error("another error")
	}
}
