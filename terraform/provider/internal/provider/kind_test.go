package provider

import (
	"reflect"
	"testing"

	"kvstore.dev/terraform-provider-kvstore/internal/client"
)

func TestSpecificationsAreCompared(t *testing.T) {
	t.Parallel()
	a := client.ClusterSpec{Region: "eu-1", Addresses: []string{"*"}}
	b := client.ClusterSpec{Region: "eu-1", Addresses: []string{"*"}, State: "active"}
	if got := differences(a, b); !reflect.DeepEqual(got, []string{"state"}) {
		t.Error(got)
	}
	if got := lacking(a, b); got != nil {
		t.Error(got)
	}
	if got := lacking(b, a); !reflect.DeepEqual(got, []string{"state"}) {
		t.Error(got)
	}
	if got := differences(a, a); got != nil {
		t.Error(got)
	}
}
