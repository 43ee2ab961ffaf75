package client

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"regexp"
)

const (
	idLetters = "abcdefghijklmnopqrstuvwxyz0123456789"
	// Ids are of the whole platform: of 36^20 no two are alike.
	idLength = 20
	// As many bytes as there are in a SHA-256: no guess at the key is cheaper than one at its hash.
	secretBytes = 32
)

// SecretPattern is the shape of the secret part of a key.
var SecretPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{43,128}$`)

// Secrets finds keys, admin tokens and join tokens in text, to mask them.
var Secrets = regexp.MustCompile(`\bkv[aj]?_[A-Za-z0-9_-]{8,}|(?i:bearer) +[A-Za-z0-9._~+/=-]+`)

// NewID makes an id for a key.
func NewID() string {
	id := make([]byte, 0, idLength)
	for len(id) < idLength {
		var b [1]byte
		_, _ = rand.Read(b[:]) // It never fails: the program ends instead.
		// 252 is the largest multiple of 36 in a byte: every letter is as likely as the others.
		if b[0] < 252 {
			id = append(id, idLetters[int(b[0])%len(idLetters)])
		}
	}
	return string(id)
}

// NewSecret makes the secret part of a key: 256 bits as 43 characters.
func NewSecret() string {
	var b [secretBytes]byte
	_, _ = rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// KeyText is a whole key, which a client of the service sends.
func KeyText(id, secret string) string {
	return "kv_" + id + "_" + secret
}

// Hash is the SHA-256 of a text, in hexadecimal digits.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
