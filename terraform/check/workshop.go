package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

var azurermName = regexp.MustCompile(`\bazurerm_[a-z0-9_]+`)

// workshop has all that a check needs: a copy of the modules, in which Terraform may leave its files, an azurerm or a stand-in
// for it, and a mirror with the provider kvstore. The latter's program, and the package with the schema of azurerm, are there.
type workshop struct {
	checkout, root string
	environment    map[string]string // with which Terraform knows of both providers
	types          []string          // resources and data sources of azurerm that any file of the copy names
	end            context.CancelFunc
}

// openWorkshop starts the binary of an azurerm, or a stand-in for it where there is none.
func openWorkshop(checkout, azurerm string, pretending bool) (*workshop, error) {
	// Else the stand-in, as azurerm, writes some lines for each question.
	for _, log := range []string{"TF_LOG_SDK", "TF_LOG_SDK_PROTO", "TF_LOG_PROVIDER"} {
		if err := os.Setenv(log, "OFF"); err != nil {
			return nil, err
		}
	}
	target := filepath.Join(checkout, "target/terraform")
	if err := os.MkdirAll(target, 0o755); err != nil {
		return nil, err
	}
	root, err := os.MkdirTemp(target, "work-")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	w := &workshop{checkout: checkout, root: root, end: cancel}
	if err := w.prepare(ctx, filepath.Join(target, "mirror"), azurerm, pretending); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *workshop) prepare(ctx context.Context, mirror, azurerm string, pretending bool) error {
	for _, folder := range []string{"terraform/modules", "terraform/examples", "terraform/testing", "deploy"} {
		// Terraform's tests delete what they made, which protected resources refuse.
		if err := w.copy(folder, !pretending); err != nil {
			return err
		}
	}
	slices.Sort(w.types)
	w.types = slices.Compact(w.types)
	// Providers come from the mirror alone: a missing one is an error, and no request to a registry.
	settings := filepath.Join(w.root, "kv.tfrc")
	err := os.WriteFile(settings, fmt.Appendf(nil, "provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror), 0o644)
	if err != nil {
		return err
	}
	w.environment = map[string]string{"CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1", "TF_CLI_CONFIG_FILE": settings}
	if azurerm == "" {
		w.environment["TF_REATTACH_PROVIDERS"], err = w.startStandIn(ctx, pretending)
	} else {
		w.environment["TF_REATTACH_PROVIDERS"], err = startAzurerm(ctx, azurerm)
	}
	return err
}

func (w *workshop) startStandIn(ctx context.Context, pretending bool) (string, error) {
	tables, err := readValues(filepath.Join(w.checkout, "terraform/testing/azurerm.values"))
	if err != nil {
		return "", err
	}
	scripts := filepath.Join(w.checkout, "target/terraform/node_modules/@cdktn/provider-azurerm/lib")
	standIn := &standIn{schemas: readSchemas(scripts, w.types, tables), tables: tables}
	if pretending {
		if standIn.made, err = readMocks(filepath.Join(w.checkout, "terraform/testing/mocks")); err != nil {
			return "", err
		}
	}
	return serve(ctx, standIn)
}

// copy leaves out what Terraform made in the checkout.
func (w *workshop) copy(folder string, unprotected bool) error {
	return filepath.WalkDir(filepath.Join(w.checkout, folder), func(path string, entry fs.DirEntry, err error) error {
		to := filepath.Join(w.root, strings.TrimPrefix(path, w.checkout))
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".terraform":
			return fs.SkipDir
		case entry.IsDir():
			return os.MkdirAll(to, 0o755)
		case strings.HasPrefix(entry.Name(), ".terraform"):
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if name := entry.Name(); strings.HasSuffix(name, ".tf") || strings.HasSuffix(name, ".hcl") {
			w.types = append(w.types, azurermName.FindAllString(string(content), -1)...)
			if unprotected {
				content = bytes.ReplaceAll(content, []byte("prevent_destroy = true"), []byte("prevent_destroy = false"))
			}
		}
		return os.WriteFile(to, content, info.Mode())
	})
}

// terraform runs a command of Terraform to its end, and gives all that it printed.
func (w *workshop) terraform(folder string, arguments ...string) (string, error) {
	limit, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	command := exec.CommandContext(limit, "terraform", arguments...)
	command.Dir = folder
	command.Env = os.Environ()
	for name, value := range w.environment {
		command.Env = append(command.Env, name+"="+value)
	}
	said, err := command.CombinedOutput()
	return string(said), errors.Join(err, limit.Err())
}

func (w *workshop) close() {
	w.end()
	os.RemoveAll(w.root)
}
