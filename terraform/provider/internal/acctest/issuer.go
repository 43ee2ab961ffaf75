package acctest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"time"
)

// issuer is an OpenID Connect provider that gives out tokens of any role.
type issuer struct {
	server *httptest.Server
	url    string
	key    *rsa.PrivateKey
}

func newIssuer() (*issuer, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	i := &issuer{key: key}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{
			"issuer": i.url, "jwks_uri": i.url + "/keys", "token_endpoint": i.url + "/token",
			"authorization_endpoint": i.url + "/authorize", "id_token_signing_alg_values_supported": []string{"RS256"},
			"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
		})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"keys": []any{map[string]any{
			"kty": "RSA", "kid": "1", "alg": "RS256", "use": "sig",
			"n": encode(key.N.Bytes()), "e": encode(big.NewInt(int64(key.E)).Bytes()),
		}}})
	})
	i.server = httptest.NewServer(mux)
	i.url = i.server.URL
	return i, nil
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

func encode(b []byte) string {
	return base64.RawURLEncoding.EncodeToString(b)
}

// TokenOf is a token of a caller of this role, within a tenant if that is not empty.
func (s *Server) TokenOf(role, tenant string) string {
	claims := map[string]any{
		"iss": s.issuer.url, "aud": "kvstore", "sub": role, "upn": role + "@test", "groups": []string{role},
		"iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
	}
	if tenant != "" {
		claims["kvstore_tenant"] = tenant
	}
	head, _ := json.Marshal(map[string]string{"alg": "RS256", "typ": "JWT", "kid": "1"})
	body, _ := json.Marshal(claims)
	text := encode(head) + "." + encode(body)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, s.issuer.key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err) // The key is ours and good.
	}
	return text + "." + encode(signature)
}

func (i *issuer) close() {
	if i != nil {
		i.server.Close()
	}
}
