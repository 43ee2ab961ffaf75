package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

var reattachLine = regexp.MustCompile(`TF_REATTACH_PROVIDERS='(.+)'`)

// startAzurerm starts the binary of a real azurerm, which runs until the context ends, and needs no account as long as
// resources are mocked. The result tells Terraform where it is, as TF_REATTACH_PROVIDERS.
func startAzurerm(ctx context.Context, file string) (string, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	var log bytes.Buffer
	azurerm := exec.CommandContext(ctx, file, "-debuggable")
	azurerm.Stderr = &log
	out, err := azurerm.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := azurerm.Start(); err != nil {
		return "", usageError{fmt.Errorf("--azurerm names a provider's binary, such as terraform-provider-azurerm_v4.73.0_x5, and %w", err)}
	}
	found := make(chan string, 1)
	go func() {
		// Reads on to the end, so that the provider is never held up by a full pipe.
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if reattach := reattachLine.FindStringSubmatch(lines.Text()); reattach != nil {
				found <- reattach[1]
			}
		}
		azurerm.Wait()
		close(found)
	}()
	select {
	case reattach := <-found:
		if !strings.Contains(reattach, `"`+azurermAddress+`"`) {
			return "", fmt.Errorf("%s is no provider %s, which says where it listens when started with -debuggable: %s%.300s",
				file, azurermAddress, reattach, strings.TrimSpace(log.String()))
		}
		return reattach, nil
	// Its schema alone takes seconds where cores are busy.
	case <-time.After(2 * time.Minute):
		return "", fmt.Errorf("%s did not say within 2 minutes where Terraform reaches it", file)
	}
}
