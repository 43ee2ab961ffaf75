module kvstore.dev/checks/registry

go 1.24.0

require github.com/google/go-containerregistry v0.22.1
