package client

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestEndpointsThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "control", "ftp://x", "http://", "http://10.0.0.1:8080", "https://u:p@x", "https://x?a=b"} {
		if _, err := New(Options{Endpoint: text}); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
	for _, text := range []string{"https://x", "http://127.0.0.1:8080/", "http://localhost", "http://[::1]:1"} {
		if _, err := New(Options{Endpoint: text}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := New(Options{Endpoint: "http://10.0.0.1:8080", InsecurePlaintext: true}); err != nil {
		t.Error(err)
	}
}

func TestClientCertificateNeedsItsKey(t *testing.T) {
	t.Parallel()
	if _, err := New(Options{Endpoint: "https://x", CertificateFile: "a"}); err == nil {
		t.Error("a certificate without a key was taken")
	}
}

func TestListReadsAllPages(t *testing.T) {
	t.Parallel()
	var queries []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		queries = append(queries, r.URL.RawQuery)
		if r.URL.Query().Get("cursor") == "" {
			says(200, `{"items":[{"name":"a"}],"next":"n"}`)(w, r)
		} else {
			says(200, `{"items":[{"name":"b"}]}`)(w, r)
		}
	}))
	t.Cleanup(server.Close)
	got, err := List[Region](t.Context(), to(t, server.URL), Path("regions"), url.Values{"state": {"active"}, "tenant": {""}})
	if err != nil || len(got) != 2 || got[1].Name != "b" {
		t.Errorf("%v, %v", got, err)
	}
	if strings.Join(queries, " ") != "limit=1000&state=active cursor=n&limit=1000&state=active" {
		t.Errorf("asked %v", queries)
	}
}

func TestPathsAreEscaped(t *testing.T) {
	t.Parallel()
	if got := Path("accounts", "a/b", "grants"); got != "/v1/accounts/a%2Fb/grants" {
		t.Error(got)
	}
}

func TestRecordsHoldNoSecret(t *testing.T) {
	t.Parallel()
	c, _ := scripted(t, says(200, `{"id":"x","token":"kvj_aaaaaaaaaaaa_secretsecretsecret"}`))
	var seen []Record
	_, _, err := Post[NewJoinToken](t.Context(), c.WithLog(func(r Record) { seen = append(seen, r) }), "/v1/x", nil, "o")
	if err != nil || len(seen) != 1 || seen[0].Status != 200 || seen[0].Method != "POST" || seen[0].Attempt != 1 {
		t.Errorf("%v, %v", seen, err)
	}
}

func TestKeysAreOfTheContract(t *testing.T) {
	t.Parallel()
	id, secret := NewID(), NewSecret()
	if len(id) != 20 || strings.Trim(id, idLetters) != "" || id == NewID() {
		t.Error(id)
	}
	if !SecretPattern.MatchString(secret) || secret == NewSecret() {
		t.Error(secret)
	}
	text := KeyText(id, secret)
	if Secrets.ReplaceAllString("key "+text+" end", "***") != "key *** end" {
		t.Error("not masked")
	}
	if Secrets.ReplaceAllString("Authorization: Bearer abc.def", "***") != "Authorization: ***" {
		t.Error("not masked")
	}
	// echo -n kv_a_b | sha256sum
	if Hash("kv_a_b") != "130f2cf4c31848e5304d9a2e5fa9c64af59357e8d1a40c6d70e79e5e6450810f" {
		t.Error(Hash("kv_a_b"))
	}
}
