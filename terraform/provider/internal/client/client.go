// Package client calls the REST API of a KV Store control plane.
//
// It repeats calls that failed for a passing reason, never repeats a call that could act twice, and keeps secrets out of
// logs. It knows nothing of Terraform.
package client

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client calls one control plane with one token. It is safe for concurrent use.
type Client struct {
	base      *url.URL
	token     string
	agent     string
	http      *http.Client
	retries   int
	perTry    time.Duration
	pause     func(attempt int) time.Duration
	logRecord func(Record)
}

// Options say how a control plane is reached.
type Options struct {
	// Endpoint is the URL of the control plane, such as https://control.example.com:8080.
	Endpoint string
	// Token is sent as a bearer token: an admin token or a token of an OpenID Connect provider.
	Token string
	// CAFile names a PEM file with the authorities of the control plane's certificate. Empty: those of the system.
	CAFile string
	// CertificateFile and KeyFile name the PEM files of a client certificate. Both or none.
	CertificateFile, KeyFile string
	// InsecurePlaintext allows http:// to a machine that is not this one.
	InsecurePlaintext bool
	// RequestTimeout bounds one attempt. 0: 30 s.
	RequestTimeout time.Duration
	// MaxRetries is how often a call is repeated, 0 or more.
	MaxRetries int
	// UserAgent names the program.
	UserAgent string
}

// Record describes one attempt of a call, for a log. It holds no secret: neither a token nor a body.
type Record struct {
	Method, Path string
	Attempt      int
	Status       int
	Took         time.Duration
	Err          error
}

const usualTimeout = 30 * time.Second

// New makes a client. It opens no connection.
func New(o Options) (*Client, error) {
	base, err := endpoint(o.Endpoint, o.InsecurePlaintext)
	if err != nil {
		return nil, err
	}
	tls, err := tlsConfig(o)
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = tls
	// Terraform makes ten calls at a time by default; each keeps its connection.
	transport.MaxIdleConnsPerHost = 64
	perTry := o.RequestTimeout
	if perTry <= 0 {
		perTry = usualTimeout
	}
	return &Client{
		base:    base,
		token:   strings.TrimSpace(o.Token),
		agent:   o.UserAgent,
		retries: o.MaxRetries,
		perTry:  perTry,
		pause:   backOff,
		http: &http.Client{
			Transport: transport,
			// A redirect would carry the token to another address.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// WithLog returns a client that tells each attempt to a log, and shares everything else with this one.
func (c *Client) WithLog(log func(Record)) *Client {
	other := *c
	other.logRecord = log
	return &other
}

// Endpoint is the URL of the control plane.
func (c *Client) Endpoint() string {
	return c.base.String()
}

// endpoint reads the URL of a control plane and refuses one that would send the token in clear over a network.
func endpoint(text string, plaintext bool) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(text), "/"))
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, fmt.Errorf("the endpoint must be a URL such as https://control.example.com:8080")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("the endpoint must have no user, query or fragment")
	}
	if u.Scheme == "http" && !plaintext && !loopback(u.Hostname()) {
		return nil, fmt.Errorf("%s would send the token in clear over the network: use https://, or set insecure_plaintext", u.Host)
	}
	return u, nil
}

// LongestWait is how long the service may be asked to hold an answer back, so that an attempt does not time out. At least 1 s.
func (c *Client) LongestWait() time.Duration {
	return min(max(c.perTry/2, time.Second), time.Minute).Truncate(time.Second)
}
