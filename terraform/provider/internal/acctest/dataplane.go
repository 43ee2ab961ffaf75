package acctest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// DataPlane is a data plane that has joined a cluster of the control plane.
type DataPlane struct {
	run *exec.Cmd
	log string
}

// Log is what it has printed so far.
func (d *DataPlane) Log() string {
	text, _ := os.ReadFile(d.log)
	return string(text)
}

// Folder is a folder for an account's blobs, which data planes of this machine reach.
func (s *Server) Folder(name string) (string, error) {
	folder := filepath.Join(s.data, "blobs", name)
	return folder, os.MkdirAll(folder, 0o755)
}

// StartDataPlane starts a data plane and does not wait until it is ready.
func (s *Server) StartDataPlane(region, cluster, joinToken string) (*DataPlane, error) {
	port, http, err := freePorts()
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(s.data, cluster+".log"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	run := exec.Command(filepath.Join(checkout(), "kv"), "node",
		"--control-plane", "127.0.0.1:"+strconv.Itoa(s.grpc), "--region", region, "--cluster", cluster,
		"--host", "127.0.0.1", "--port", strconv.Itoa(port), "--http-port", strconv.Itoa(http),
		"--node-name", cluster)
	run.Dir = s.data
	run.Env = append(environment(), "KV_SKIP_BUILD=1", "KVSTORE_JOIN_TOKEN="+joinToken,
		"KVSTORE_STATE_PATH="+filepath.Join(s.data, cluster+".state"),
		"KVSTORE_MEMORY_TIER_SIZE=64M", "KVSTORE_TRANSFER_MEMORY=130M",
		"KVSTORE_INBOUND_MEMORY=65M", "KVSTORE_UNREAD_RESPONSE_MEMORY=65M")
	run.Stdout, run.Stderr = log, log
	return &DataPlane{run, log.Name()}, run.Start()
}

// Stop ends it.
func (d *DataPlane) Stop() {
	_ = d.run.Process.Signal(syscall.SIGTERM)
	_ = d.run.Wait()
}
