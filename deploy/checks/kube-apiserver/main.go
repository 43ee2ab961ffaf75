// A kube-apiserver from released Go modules, to install the chart into: what there is to be had without a container engine.
package main

import (
	"os"

	_ "time/tzdata"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	os.Exit(cli.Run(app.NewAPIServerCommand()))
}
