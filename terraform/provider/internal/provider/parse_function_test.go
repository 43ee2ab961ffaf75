package provider

import "testing"

func TestParseResourceName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][3]string{
		"acme":                               {"acme", "", ""},
		"Acme.cache_1":                       {"Acme.cache_1", "", ""},
		"https://Acme.blob.core.windows.net": {"acme", "https://acme.blob.core.windows.net", ""},
		"https://acme.blob.core.windows.net/blocks/": {"acme", "https://acme.blob.core.windows.net", "blocks"},
		"http://acme.localhost:10000/blocks":         {"acme", "http://acme.localhost:10000", "blocks"},
	} {
		got, err := parse(text)
		if err != nil || got.Name != want[0] || value(got.Endpoint) != want[1] || value(got.Container) != want[2] {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", ".", "a..b", "-a", "a/b", "ftp://a/b", "https://", "https://a.b/c/d", "https://_.b"} {
		if got, err := parse(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
