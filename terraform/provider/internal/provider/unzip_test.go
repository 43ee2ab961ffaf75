package provider

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"
)

// unzipped is what the files in an archive hold; nothing if the content is no archive.
func unzipped(t *testing.T, content []byte) []byte {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil
	}
	var all []byte
	for _, file := range archive.File {
		reader, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		_ = reader.Close()
		all = append(all, text...)
	}
	return all
}
