package provider

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kvstore.dev/terraform-provider-kvstore/internal/acctest"
)

// built is the provider's program, as users run it.
var built struct {
	once   sync.Once
	folder string
	err    error
}

// program builds the provider once and returns its folder.
func program(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.folder, built.err = os.MkdirTemp("", "kvstore-provider-"); built.err != nil {
			return
		}
		build := exec.Command("go", "build", "-o", filepath.Join(built.folder, "terraform-provider-kvstore"), ".")
		build.Dir = "../.."
		if text, err := build.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("%w: %s", err, text)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.folder
}

// workspace is a folder in which Terraform runs as users run it: a process of its own for Terraform and for the provider.
type workspace struct {
	folder string
	env    []string
	// cpu is the processor time of the last command, Terraform's and the provider's.
	cpu time.Duration
}

func newWorkspace(t *testing.T, s *acctest.Server) *workspace {
	t.Helper()
	w := &workspace{folder: t.TempDir()}
	w.use(t, program(t))
	w.env = append(os.Environ(),
		"TF_CLI_CONFIG_FILE="+filepath.Join(w.folder, "settings.tfrc"), "CHECKPOINT_DISABLE=1", "HOME="+w.folder,
		"TF_IN_AUTOMATION=1", "TF_INPUT=0", urlVariable+"="+s.URL, tokenVariable+"="+s.Token)
	return w
}

// use has Terraform start the provider of a folder.
func (w *workspace) use(t *testing.T, folder string) {
	t.Helper()
	settings := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    %q = %q\n  }\n}\n", Address, folder)
	w.write(t, "settings.tfrc", settings)
}

func (w *workspace) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// configure writes the configuration of the folder.
func (w *workspace) configure(t *testing.T, body string) {
	t.Helper()
	w.write(t, "main.tf", fmt.Sprintf("terraform {\n  required_providers {\n    kvstore = { source = %q }\n  }\n}\n", Address)+body)
}

// command is one of Terraform's.
func (w *workspace) command(more []string, arguments ...string) *exec.Cmd {
	path := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if path == "" {
		path = "terraform"
	}
	run := exec.Command(path, append(arguments, "-no-color")...)
	run.Dir = w.folder
	run.Env = append(w.env, more...)
	return run
}

// terraform runs a command, and fails the test if that fails.
func (w *workspace) terraform(t *testing.T, more []string, arguments ...string) string {
	t.Helper()
	run := w.command(more, arguments...)
	text, err := run.CombinedOutput()
	if run.ProcessState != nil {
		w.cpu = run.ProcessState.UserTime() + run.ProcessState.SystemTime()
	}
	if err != nil {
		lines := strings.Split(string(text), "\n")
		t.Fatalf("terraform %v: %v\n%s", arguments, err, strings.Join(lines[max(0, len(lines)-60):], "\n"))
	}
	return string(text)
}
