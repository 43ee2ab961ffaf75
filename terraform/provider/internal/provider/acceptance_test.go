package provider

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"kvstore.dev/terraform-provider-kvstore/internal/acctest"
	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// factories run the provider in the process of the test, so that nothing is downloaded.
var factories = map[string]func() (tfprotov6.ProviderServer, error){
	typeName: providerserver.NewProtocol6WithError(New("test")()),
	// It shows ephemeral values to tests.
	"echo": echoprovider.NewProviderServer(),
}

// shared is the control plane of the whole run. It starts at first use.
var shared struct {
	once   sync.Once
	server *acctest.Server
	err    error
}

func TestMain(m *testing.M) {
	for name, value := range map[string]string{
		"TF_ACC_PROVIDER_HOST": "kvstore.dev", "TF_ACC_PROVIDER_NAMESPACE": "kvstore",
		"CHECKPOINT_DISABLE": "1", urlVariable: "", tokenVariable: "",
	} {
		_ = os.Setenv(name, value)
	}
	_ = os.Unsetenv("TF_CLI_CONFIG_FILE") // The user's own settings decide nothing here.
	code := m.Run()
	if shared.server != nil {
		shared.server.Stop()
	}
	_ = os.RemoveAll(built.folder)
	os.Exit(code)
}

// acceptance skips the test, and says why, unless Terraform and a control plane can be started.
func acceptance(t *testing.T) {
	t.Helper()
	if os.Getenv(resource.EnvTfAcc) == "" {
		t.Skip("acceptance tests run with TF_ACC=1")
	}
	if why := acctest.Missing(); why != "" {
		t.Skip("skipped: " + why)
	}
}

// controlPlane is the control plane of the run.
func controlPlane(t *testing.T) *acctest.Server {
	t.Helper()
	acceptance(t)
	shared.once.Do(func() { shared.server, shared.err = acctest.Start(context.Background()) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.server
}

// behind is a client that acts behind Terraform's back.
func behind(t *testing.T) *client.Client {
	t.Helper()
	s := controlPlane(t)
	c, err := client.New(client.Options{Endpoint: s.URL, Token: s.Token, MaxRetries: 10})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// put changes a thing behind Terraform's back.
func put(t *testing.T, path string, spec any) {
	t.Helper()
	if _, _, err := client.Put[any](t.Context(), behind(t), path, spec, client.Precondition{}); err != nil {
		t.Fatal(err)
	}
}

// end deletes a thing behind Terraform's back.
func end(t *testing.T, path string) {
	t.Helper()
	if err := client.Delete(t.Context(), behind(t), path, client.Precondition{}); err != nil {
		t.Fatal(err)
	}
}

// withToken is a configuration with a provider block that has this token.
func withToken(t *testing.T, token, body string) string {
	t.Helper()
	echo := ""
	if strings.Contains(body, `provider "echo"`) {
		echo = `echo = { source = "kvstore.dev/kvstore/echo" }`
	}
	return fmt.Sprintf(`
terraform {
  required_providers {
    kvstore = { source = %q }
    %s
  }
}
provider "kvstore" {
  endpoint = %q
  token    = %q
}
`, Address, echo, controlPlane(t).URL, token) + body
}

// asAdmin is a configuration with a provider block that may do everything.
func asAdmin(t *testing.T, body string) string {
	t.Helper()
	return withToken(t, controlPlane(t).Token, body)
}

// unique is a name that no other test has.
func unique(prefix string) string {
	var b [5]byte
	_, _ = rand.Read(b[:])
	return fmt.Sprintf("%s-%x", prefix, b)
}
