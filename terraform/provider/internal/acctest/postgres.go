package acctest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// postgresTime is the longest that PostgreSQL may take to stop or to start.
const postgresTime = time.Minute

// StopPostgres stops the control plane's PostgreSQL at once and returns the function that starts it again.
func (s *Server) StopPostgres() (func() error, error) {
	data := filepath.Join(s.data, "database/postgresql")
	file := filepath.Join(data, "postmaster.pid")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil {
		return nil, err
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return nil, err
	}
	var command []string
	if os.Geteuid() == 0 {
		// PostgreSQL does not run as root; without its own namespace root is root.
		command = []string{"unshare", "-U"}
	}
	for _, word := range bytes.Split(bytes.TrimRight(line, "\x00"), []byte{0}) {
		command = append(command, string(word))
	}
	if err := syscall.Kill(pid, syscall.SIGINT); err != nil {
		return nil, err
	}
	if err := until(func() bool { _, err := os.Stat(file); return os.IsNotExist(err) }); err != nil {
		return nil, fmt.Errorf("PostgreSQL does not stop: %w", err)
	}
	return func() error { return s.startPostgres(command, file) }, nil
}

func (s *Server) startPostgres(command []string, file string) error {
	log, err := os.OpenFile(filepath.Join(s.data, "postgresql-again.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	run := exec.Command(command[0], command[1:]...)
	run.Stdout, run.Stderr = log, log
	if err := run.Start(); err != nil {
		return err
	}
	go func() { _ = run.Wait() }() // Whoever stops it, it is not left as a zombie.
	return until(func() bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(text), "ready")
	})
}

func until(done func() bool) error {
	for end := time.Now().Add(postgresTime); ; time.Sleep(20 * time.Millisecond) {
		if done() {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("not within %v", postgresTime)
		}
	}
}
