package provider

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kvstore.dev/terraform-provider-kvstore/internal/acctest"
	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

const crashVariable = "KVSTORE_TEST_CRASH"

// crashing builds a provider that crashes while it holds the secret of a key, and has the workspace use it.
func crashing(t *testing.T, w *workspace) {
	t.Helper()
	folder := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "terraform-provider-kvstore"), "./internal/acctest/crashing")
	build.Dir = "../.."
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	w.use(t, folder)
}

// crashed is a workspace whose provider crashed while it made a key of a given secret and one of a secret of its own.
// The file output has what Terraform printed. The provider prints the stack of each goroutine to its stderr, which Terraform writes to its log.
func crashed(t *testing.T, s *acctest.Server, secret, how string, meanwhile func()) *workspace {
	t.Helper()
	w := newWorkspace(t, s)
	crashing(t, w)
	n := unique("crash")
	w.configure(t, secretKey(n, "1", "1h")+"resource \"kvstore_key\" \"ours\" { tenant = kvstore_tenant.test.name }\n")
	run := w.command([]string{
		"GOTRACEBACK=all", "TF_VAR_secret=" + secret, crashVariable + "=" + how,
		"TF_LOG=TRACE", "TF_LOG_PATH=" + filepath.Join(w.folder, "trace.log"),
	}, "apply", "-auto-approve")
	output, err := os.Create(filepath.Join(w.folder, "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = output.Close() }()
	run.Stdout, run.Stderr = output, output
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	meanwhile()
	if err := run.Wait(); err == nil {
		t.Error("the apply succeeded, and the provider did not crash")
	}
	return w
}

// TestAccCrashesShowNoSecret: a provider that panics, or is killed so that it prints all its stacks, while it makes a key leaves
// neither the key's secret nor the token in its own output, in that of Terraform, in the log at TRACE or in any other file. Terraform
// tells the panic in its output, OpenTofu in its log alone.
func TestAccCrashesShowNoSecret(t *testing.T) {
	t.Parallel()
	s := controlPlane(t)
	searched := func(t *testing.T, w *workspace, secret string, traces ...string) {
		t.Helper()
		log := read(t, filepath.Join(w.folder, "trace.log")) + read(t, filepath.Join(w.folder, "output"))
		for _, trace := range append(traces, "goroutine ", "client.(*Client).attempt") {
			if !strings.Contains(log, trace) {
				t.Errorf("no crash is told: there is no %q", trace)
			}
		}
		w.search(t, append(spellings(secret), spellings(s.Token)...))
	}
	t.Run("panic", func(t *testing.T) {
		t.Parallel()
		secret := client.NewSecret()
		w := crashed(t, s, secret, "panic", func() {})
		searched(t, w, secret, "panic: a flaw of the provider")
	})
	t.Run("abort", func(t *testing.T) {
		t.Parallel()
		secret, pid := client.NewSecret(), filepath.Join(t.TempDir(), "pid")
		w := crashed(t, s, secret, pid, func() { abort(t, pid) })
		searched(t, w, secret, "SIGABRT: abort")
	})
}

// abort kills the process whose number is in the file, when it is there.
func abort(t *testing.T, file string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		text, err := os.ReadFile(file)
		if os.IsNotExist(err) && time.Now().Before(end) {
			continue
		}
		pid, err := strconv.Atoi(string(text))
		if err != nil {
			t.Errorf("no provider says that it sends a key: %v", err)
			return
		}
		if err := syscall.Kill(pid, syscall.SIGABRT); err != nil {
			t.Error(err)
		}
		return
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// spellings are a secret as text, in base64, in hexadecimal digits, and as Go's stack traces print memory: in words of 8 bytes.
func spellings(secret string) []string {
	all := []string{secret, base64.StdEncoding.EncodeToString([]byte(secret)), hex.EncodeToString([]byte(secret))}
	for at := 0; at+8 <= len(secret); at++ {
		all = append(all, fmt.Sprintf("%#x", binary.LittleEndian.Uint64([]byte(secret[at:]))))
	}
	return all
}
