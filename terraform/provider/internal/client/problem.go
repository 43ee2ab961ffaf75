package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// unknownOutcome is the type of a problem after which the change may have been made or not.
const unknownOutcome = "urn:kvstore:problem:unknown"

// Problem is why a call was not done, as RFC 9457 has it. It is an error.
type Problem struct {
	Type   string       `json:"type"`
	Title  string       `json:"title"`
	Status int          `json:"status"`
	Detail string       `json:"detail"`
	Errors []FieldError `json:"errors"`
	// Visible is present with a 404. True: the caller would see the thing if it were there. False: it is not there, or
	// it is not the caller's to see.
	Visible *bool `json:"visible"`
	// Uncertain tells that an attempt before this answer may have made the change.
	Uncertain bool `json:"-"`
}

// FieldError is what is wrong with one field of a request.
type FieldError struct {
	// Field is its path in the body, such as replicas[0].endpoint, or the name of a parameter.
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

// Error is the sentence of the service.
func (p *Problem) Error() string {
	text := p.Detail
	if text == "" {
		text = p.Title
	}
	return fmt.Sprintf("%s (HTTP %d)", text, p.Status)
}

// problem reads the body of an answer that is no success.
func problem(status int, body []byte) *Problem {
	p := &Problem{}
	if err := json.Unmarshal(body, p); err != nil || p.Type+p.Detail+p.Title == "" {
		// A proxy in between answered, not the service.
		p = &Problem{Title: strings.TrimSpace(http.StatusText(status) + ", and no word of the control plane")}
	}
	p.Status = status
	return p
}

// AsProblem finds the problem in an error; nil if it has none.
func AsProblem(err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	return nil
}

// HasStatus tells whether the service answered with this HTTP status.
func HasStatus(err error, status int) bool {
	p := AsProblem(err)
	return p != nil && p.Status == status
}

// Gone tells whether the thing is certainly not there: it was deleted, or never was.
func Gone(err error) bool {
	p := AsProblem(err)
	return p != nil && p.Status == http.StatusNotFound && p.Visible != nil && *p.Visible
}

// Hidden tells whether the thing is not there, or is there and not for this caller to see.
func Hidden(err error) bool {
	return HasStatus(err, http.StatusNotFound) && !Gone(err)
}

// Stale tells whether the thing has another version than the call expected.
func Stale(err error) bool {
	return HasStatus(err, http.StatusPreconditionFailed)
}
