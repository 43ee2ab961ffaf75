package provider

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

// wholeKey is any key of the provider's making, or any join token.
var wholeKey = regexp.MustCompile(`(kv_[a-z0-9]{20}|kvj_[a-z0-9]{12})_[A-Za-z0-9_-]{43}`)

// TestAccSecretsAreNowhere: neither the secret of a key nor a token is in any file that Terraform leaves behind: states, plans and
// logs at TRACE, after creation, rotation and destruction. A key whose secret the state is meant to hold is in no log all the same.
func TestAccSecretsAreNowhere(t *testing.T) {
	t.Parallel()
	s := controlPlane(t)
	w := newWorkspace(t, s)
	n := unique("secret")
	put(t, client.Path("tenants", n+"-other"), client.TenantSpec{})
	first, second := client.NewSecret(), client.NewSecret()
	trace := []string{"TF_LOG=TRACE", "TF_LOG_PATH=" + filepath.Join(w.folder, "trace.log")}
	config := func(version int) string {
		return secretKey(n, fmt.Sprint(version), "1h") + fmt.Sprintf(`
ephemeral "kvstore_token" "test" { tenant = "%s-other" }
`, n)
	}
	step := func(secret string, version int, arguments ...string) {
		w.configure(t, config(version))
		more := append(trace, "TF_VAR_secret="+secret)
		plan := fmt.Sprintf("plan-%d-%d", version, len(arguments))
		output := w.terraform(t, more, append([]string{"plan", "-out=" + plan}, arguments...)...)
		output += w.terraform(t, more, "show", "-json", plan)
		output += w.terraform(t, more, "apply", plan)
		output += w.terraform(t, more, "show", "-json")
		w.write(t, "output-"+plan, output)
		w.search(t, []string{first, second, s.Token})
	}
	step(first, 1)
	step(second, 2)
	step(second, 2, "-destroy")
}

// TestAccJoinTokenSecretIsNowhere: the same of a join token with a secret of ours, after creation, replacement and destruction.
func TestAccJoinTokenSecretIsNowhere(t *testing.T) {
	t.Parallel()
	s := controlPlane(t)
	w := newWorkspace(t, s)
	n := unique("secret")
	trace := []string{"TF_LOG=TRACE", "TF_LOG_PATH=" + filepath.Join(w.folder, "trace.log")}
	first, second := client.NewSecret(), client.NewSecret()
	step := func(secret string, version int, arguments ...string) {
		w.configure(t, chosenToken(n, fmt.Sprint(version)))
		more := append(trace, "TF_VAR_secret="+secret)
		plan := fmt.Sprintf("plan-%d-%d", version, len(arguments))
		output := w.terraform(t, more, append([]string{"plan", "-out=" + plan}, arguments...)...)
		output += w.terraform(t, more, "show", "-json", plan)
		output += w.terraform(t, more, "apply", plan)
		output += w.terraform(t, more, "show", "-json")
		w.write(t, "output-"+plan, output)
		w.search(t, []string{first, second, s.Token})
	}
	step(first, 1)
	step(second, 2)
	step(second, 2, "-destroy")
}

// search looks into every file of the folder, byte by byte, and into what lies compressed in saved plans.
func (w *workspace) search(t *testing.T, secrets []string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(w.folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		content = append(content, unzipped(t, content)...)
		for _, secret := range secrets {
			if at := bytes.Index(content, []byte(secret)); at >= 0 {
				t.Errorf("%s has a secret: %q", filepath.Base(path), around(content, at))
			}
		}
		if at := wholeKey.FindIndex(content); at != nil {
			t.Errorf("%s has a whole key or join token: %q", filepath.Base(path), around(content, at[0]))
		}
		return nil
	})
	if err != nil || files < 4 {
		t.Errorf("%d files were searched: %v", files, err)
	}
}

func around(content []byte, at int) string {
	return strings.ToValidUTF8(string(content[max(0, at-200):min(len(content), at+80)]), "?")
}
