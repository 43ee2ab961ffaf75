// Package acctest starts a real control plane with a real PostgreSQL for tests.
package acctest

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// readyWithin is for a first start on a busy machine: it makes all tables.
const readyWithin = 3 * time.Minute

// Server is a control plane of this test run, with a PostgreSQL and an OpenID Connect provider of its own.
type Server struct {
	// URL is its REST API.
	URL string
	// Token is its admin token.
	Token  string
	issuer *issuer
	data   string
	grpc   int
	run    *exec.Cmd
	ended  chan struct{}
	// stdin stays open for as long as the control plane is to run.
	stdin    io.Closer
	database *exec.Cmd
	// databaseStdin stays open for as long as the database is to run.
	databaseStdin io.Closer
}

// Missing says what a test needs and does not find; empty if all is there.
func Missing() string {
	root := checkout()
	if root == "" {
		return "the checkout with the kv command is not above this folder"
	}
	if _, err := os.Stat(filepath.Join(root, "control-plane/target/control-plane-runner.jar")); err != nil {
		return "the control plane is not built: run ./kv check, or mvn package"
	}
	if os.Getenv("TF_ACC_TERRAFORM_PATH") == "" {
		if _, err := exec.LookPath("terraform"); err != nil {
			return "terraform is not on the PATH"
		}
	}
	return ""
}

// checkout is the folder of the project; empty if there is none above.
func checkout() string {
	folder, err := os.Getwd()
	for err == nil && folder != filepath.Dir(folder) {
		if _, missing := os.Stat(filepath.Join(folder, "kv")); missing == nil {
			return folder
		}
		folder = filepath.Dir(folder)
	}
	return ""
}

// Start starts a control plane and waits until it answers.
func Start(ctx context.Context) (*Server, error) {
	data, err := os.MkdirTemp("", "kvstore-acceptance-")
	if err != nil {
		return nil, err
	}
	s := &Server{Token: "kva_" + random(), data: data}
	if s.issuer, err = newIssuer(); err != nil {
		return nil, err
	}
	if err := s.start(ctx); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

func (s *Server) start(ctx context.Context) error {
	rest, grpc, err := freePorts()
	if err != nil {
		return err
	}
	root := checkout()
	log, err := os.Create(filepath.Join(s.data, "control-plane.log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	jdbcURL, err := s.startDatabase(root, log)
	if err != nil {
		return err
	}
	s.URL, s.grpc = "http://127.0.0.1:"+strconv.Itoa(rest), grpc
	s.run = exec.Command(filepath.Join(root, "kv"), "control-plane",
		"--http-port", strconv.Itoa(rest), "--port", strconv.Itoa(grpc),
		"--jdbc-url", jdbcURL,
		"--storage-endpoints", "file:///*,http://127.0.0.1:*/*,https://*.blob.core.windows.net",
		// A test run that is killed leaves no control plane behind.
		"--end-with-parent")
	s.run.Dir = root
	s.run.Env = append(environment(),
		"KV_SKIP_BUILD=1", "KVSTORE_ADMIN_TOKEN="+s.Token,
		"KVSTORE_OIDC_ENABLED=true", "KVSTORE_OIDC_ISSUER="+s.issuer.url)
	s.run.Stdout, s.run.Stderr = log, log
	if s.stdin, err = s.run.StdinPipe(); err != nil {
		return err
	}
	if err := s.run.Start(); err != nil {
		return err
	}
	s.ended = make(chan struct{})
	go func() {
		_ = s.run.Wait()
		close(s.ended)
	}()
	if err := s.awaitReady(ctx); err != nil {
		text, _ := os.ReadFile(log.Name())
		return fmt.Errorf("the control plane did not start: %w\n%s", err, text)
	}
	return nil
}

// startDatabase starts a PostgreSQL and returns its URL for JDBC, once it can be used.
func (s *Server) startDatabase(root string, log *os.File) (string, error) {
	s.database = exec.Command(filepath.Join(root, "kv"), "database",
		"--data", filepath.Join(s.data, "database"), "--end-with-parent")
	s.database.Dir = root
	s.database.Env = append(environment(), "KV_SKIP_BUILD=1")
	s.database.Stderr = log
	var err error
	if s.databaseStdin, err = s.database.StdinPipe(); err != nil {
		return "", err
	}
	stdout, err := s.database.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := s.database.Start(); err != nil {
		return "", err
	}
	url, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		text, _ := os.ReadFile(log.Name())
		return "", fmt.Errorf("the database did not start: %w\n%s", err, text)
	}
	return strings.TrimSpace(url), nil
}

// environment is that of the tests without the settings of KV Store: those of the user decide nothing here.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "KVSTORE_") })
}

func (s *Server) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/q/health/ready", nil)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-s.ended:
			return errors.New("it ended")
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Stop ends everything and deletes its data.
func (s *Server) Stop() {
	if s.ended != nil {
		_ = s.run.Process.Signal(syscall.SIGTERM)
		<-s.ended
	}
	if s.databaseStdin != nil {
		_ = s.databaseStdin.Close()
		_ = s.database.Wait()
	}
	s.issuer.close()
	_ = os.RemoveAll(s.data)
}

// freePorts finds two ports that nobody listens at.
func freePorts() (int, int, error) {
	a, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = a.Close() }()
	b, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = b.Close() }()
	return a.Addr().(*net.TCPAddr).Port, b.Addr().(*net.TCPAddr).Port, nil
}

func random() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
