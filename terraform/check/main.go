// Command check checks Terraform modules and examples without Azure and without a registry: ./kv terraform check.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() {
	err := run(os.Args[1:])
	if err != nil && err != errProblems {
		fmt.Fprintln(os.Stderr, "kv: "+err.Error())
	}
	switch {
	case errors.As(err, &usageError{}):
		os.Exit(2)
	case err != nil:
		os.Exit(1)
	}
}

// usageError is a mistake in the arguments.
type usageError struct{ error }

// errProblems is said already.
var errProblems = errors.New("there are problems")

func run(arguments []string) error {
	flags := flag.NewFlagSet("kv terraform check", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	checkout := flags.String("checkout", ".", "")
	azurerm := flags.String("azurerm", "", "")
	write := flags.Bool("write", false, "")
	serve := flags.Bool("serve", false, "")
	if err := flags.Parse(arguments); err != nil {
		return usageError{err}
	}
	terraform := filepath.Join(*checkout, "terraform")
	names, err := chosen(terraform, flags.Args())
	if err != nil {
		return usageError{err}
	}
	if *write {
		return writeReadMes(terraform, names)
	}
	if _, err := exec.LookPath("terraform"); err != nil {
		return errors.New("terraform is not on the PATH: install Terraform 1.11 or newer from https://developer.hashicorp.com/terraform")
	}
	w, err := openWorkshop(*checkout, *azurerm, *serve)
	if err != nil {
		return err
	}
	defer w.close()
	if *serve {
		return w.hold(os.Stdin, os.Stdout)
	}
	return w.checkAll(names)
}

// chosen are the names of folders, as modules/region; of all without any.
func chosen(terraform string, paths []string) (names []string, err error) {
	all := folders(terraform)
	if len(paths) == 0 {
		return all, nil
	}
	for _, path := range paths {
		absolute, err := filepath.Abs(path)
		// The path of the checkout is without symbolic links.
		if resolved, err := filepath.EvalSymlinks(absolute); err == nil {
			absolute = resolved
		}
		name, _ := filepath.Rel(terraform, absolute)
		if err != nil || !slices.Contains(all, name) {
			return nil, fmt.Errorf("%s is none of the modules and examples: %s", path, strings.Join(all, ", "))
		}
		names = append(names, name)
	}
	return names, nil
}

func writeReadMes(terraform string, names []string) error {
	for _, name := range names {
		if strings.HasPrefix(name, "modules/") {
			text, err := readMe(filepath.Join(terraform, name))
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(terraform, name, "README.md"), []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *workshop) checkAll(names []string) error {
	// Terraform and the stand-in both work; one more than this waits for the other's answers.
	places := make(chan bool, min(runtime.NumCPU(), 4))
	results := make([]chan findings, len(names))
	for i, name := range names {
		results[i] = make(chan findings, 1)
		go func() {
			places <- true
			results[i] <- w.check(name)
			<-places
		}()
	}
	bad := 0
	for _, result := range results {
		found := <-result
		fmt.Print(found)
		if len(found.problems) > 0 {
			bad++
		}
	}
	if bad > 0 {
		fmt.Printf("%d of %d have problems.\n", bad, len(names))
		return errProblems
	}
	fmt.Println("All good.")
	return nil
}

// hold prints where the copy is, and with which environment Terraform applies in it, and keeps both until its input ends.
func (w *workshop) hold(in io.Reader, out io.Writer) error {
	if err := json.NewEncoder(out).Encode(map[string]any{"root": w.root, "environment": w.environment}); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, in)
	return err
}
