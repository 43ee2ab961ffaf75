package client

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
)

// loopback tells whether a host is this machine.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// tlsConfig reads the authorities and the client certificate.
func tlsConfig(o Options) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.CAFile != "" {
		pem, err := os.ReadFile(o.CAFile)
		if err != nil {
			return nil, fmt.Errorf("the authorities cannot be read: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s has no certificate in PEM form", o.CAFile)
		}
	}
	if (o.CertificateFile == "") != (o.KeyFile == "") {
		return nil, fmt.Errorf("a client certificate needs both its file and the file of its key")
	}
	if o.CertificateFile != "" {
		pair, err := tls.LoadX509KeyPair(o.CertificateFile, o.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("the client certificate cannot be used: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}
