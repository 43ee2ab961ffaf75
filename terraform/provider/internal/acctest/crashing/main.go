// Command crashing is the provider with a flaw: for tests of what a crash leaves behind. While it sends a key it panics, or it
// says in a file which process it is and waits to be killed, as KVSTORE_TEST_CRASH says: panic, or the path of the file.
package main

import (
	"context"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"kvstore.dev/terraform-provider-kvstore/internal/provider"
)

func main() {
	// The client's own transport is a copy of this one. It asks for a proxy in the goroutine of the call.
	http.DefaultTransport.(*http.Transport).Proxy = crash
	if err := providerserver.Serve(context.Background(), provider.New("crash"), providerserver.ServeOpts{Address: provider.Address}); err != nil {
		log.Fatal(err)
	}
}

func crash(r *http.Request) (*url.URL, error) {
	how := os.Getenv("KVSTORE_TEST_CRASH")
	if how == "" || r.Method != http.MethodPut || !strings.Contains(r.URL.Path, "/keys/") {
		return nil, nil
	}
	if how != "panic" {
		if err := os.WriteFile(how+".new", []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
			return nil, err
		}
		if err := os.Rename(how+".new", how); err != nil {
			return nil, err
		}
		select {}
	}
	panic("a flaw of the provider, at " + r.URL.Path)
}
