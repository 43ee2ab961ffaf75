package provider

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// fate is what becomes of a request on its way.
type fate int

const (
	passes fate = iota
	// loses: the control plane does what is asked, and its answer is lost.
	loses
	// refuses: it does not come to the control plane.
	refuses
)

// between is a proxy in front of the control plane.
func between(t *testing.T, decide func(*http.Request) fate) string {
	t.Helper()
	target := controlPlane(t).URL
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		become := decide(r)
		if become == refuses {
			http.Error(w, `{"title":"refused by the test"}`, http.StatusInternalServerError)
			return
		}
		request, err := http.NewRequestWithContext(r.Context(), r.Method, target+r.URL.RequestURI(), r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		request.Header = r.Header.Clone()
		request.ContentLength = r.ContentLength
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = response.Body.Close() }()
		if become == loses {
			conn, _, _ := w.(http.Hijacker).Hijack()
			_ = conn.Close()
			return
		}
		for name, values := range response.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(response.StatusCode)
		_, _ = io.Copy(w, response.Body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// losesFirst loses the answer to the first attempt of each request of this method, and counts them.
func losesFirst(method string, count *int) func(*http.Request) fate {
	var mutex sync.Mutex
	lost := map[string]bool{}
	return func(r *http.Request) fate {
		mutex.Lock()
		defer mutex.Unlock()
		key := r.URL.Path + r.Header.Get("Idempotency-Key")
		if r.Method != method || lost[key] {
			return passes
		}
		lost[key] = true
		*count++
		return loses
	}
}

// TestAccLostAnswers: the answer to the first PUT, POST and DELETE of each thing is lost. Everything is made, changed and
// deleted once, and no error is seen.
func TestAccLostAnswers(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	n := unique("lost")
	var mutex sync.Mutex
	lost := map[string]bool{}
	url := between(t, func(r *http.Request) fate {
		mutex.Lock()
		defer mutex.Unlock()
		key := r.Method + r.URL.Path + r.Header.Get("If-Match")
		if r.Method == http.MethodGet || lost[key] {
			return passes
		}
		lost[key] = true
		return loses
	})
	config := func(label string) string {
		return strings.ReplaceAll(asAdmin(t, world(n)+account(n, fmt.Sprintf("  max_offline_seconds = %d\n", len(label)))+fmt.Sprintf(`
resource "kvstore_key" "test" {
  tenant = kvstore_tenant.owner.name
  label  = %q
}
resource "kvstore_join_token" "test" { cluster = kvstore_cluster.one.name }
`, label)), controlPlane(t).URL, url)
	}
	play(t,
		resource.TestStep{Config: config("one"), ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: empty}},
		resource.TestStep{
			Config:           config("second"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: empty},
			Check: func(*terraform.State) error {
				tokens, err := client.List[client.JoinToken](t.Context(), behind(t), client.Path("clusters", n+"-1", "join-tokens"), nil)
				if err != nil || len(tokens) != 1 {
					return fmt.Errorf("%d join tokens were made: %w", len(tokens), err)
				}
				return nil
			},
		},
	)
	if len(lost) < 15 {
		t.Errorf("only %d answers were lost", len(lost))
	}
	keys, err := client.List[client.Key](t.Context(), behind(t), client.Path("tenants", n+"-owner", "keys"), nil)
	if err != nil || len(keys) != 1 {
		t.Errorf("%d keys were made: %v", len(keys), err)
	}
}

// TestAccTooOld: a control plane without /v1/whoami is told so, and not misread.
func TestAccTooOld(t *testing.T) {
	t.Parallel()
	controlPlane(t)
	old := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(old.Close)
	play(t, resource.TestStep{
		Config:      strings.ReplaceAll(asAdmin(t, `data "kvstore_server" "test" {}`), controlPlane(t).URL, old.URL),
		ExpectError: regexp.MustCompile(`too old for this provider`),
	})
}
