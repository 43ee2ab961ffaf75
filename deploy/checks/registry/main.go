// A registry of images that forgets them in the end, and that tells what belongs to an image.
package main

import (
	"log"
	"net/http"
	"os"

	"github.com/google/go-containerregistry/pkg/registry"
)

func main() {
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], registry.New(registry.WithReferrersSupport(true))))
}
