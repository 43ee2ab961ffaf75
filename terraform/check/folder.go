package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	moduleFiles    = []string{"terraform.tf", "variables.tf", "locals.tf", "main.tf", "outputs.tf", header}
	exampleFiles   = []string{"main.tf", "outputs.tf", "README.md"}
	providerBlock  = regexp.MustCompile(`(?m)^provider "`)
	azurermPin     = regexp.MustCompile(`source\s+= "hashicorp/azurerm"\s+version\s+= ">= 4.73.0, < 5.0.0"`)
	passedTests    = regexp.MustCompile(`Success! (\d+) passed, 0 failed`)
	testInProgress = regexp.MustCompile(`(?m)^.*\.\.\. (in progress|tearing down|pass|skip)\n`)
)

const terraformPin = `required_version = ">= 1.11, < 2.0"`

// findings of one folder: a line about the checks that passed, and the checks that failed, in Terraform's or our own words.
type findings struct {
	name, summary string
	problems      []string
}

func (f findings) String() string {
	said := fmt.Sprintf("%-32s %s\n", f.name, f.summary)
	for _, problem := range f.problems {
		said += "  " + strings.ReplaceAll(problem, "\n", "\n  ") + "\n"
	}
	return said
}

// folders are the names of all modules and examples, as modules/region, modules first.
func folders(terraform string) (names []string) {
	for _, kind := range []string{"modules", "examples"} {
		found, _ := filepath.Glob(filepath.Join(terraform, kind, "*", "main.tf"))
		for _, file := range found {
			names = append(names, kind+"/"+filepath.Base(filepath.Dir(file)))
		}
	}
	return names
}

// layoutProblems are of what a module or an example must have: its files, versions, and a page that agrees with its code.
func layoutProblems(folder string, module bool) (problems []string) {
	wanted := exampleFiles
	if module {
		wanted = moduleFiles
	}
	for _, file := range wanted {
		if _, err := os.Stat(filepath.Join(folder, file)); err != nil {
			problems = append(problems, file+" is missing")
		}
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*.tf"))
	text := ""
	for _, file := range files {
		content, _ := os.ReadFile(file)
		text += string(content) + "\n"
	}
	if !strings.Contains(text, terraformPin) {
		problems = append(problems, "terraform { } must have "+terraformPin+", as all modules do")
	}
	if strings.Contains(text, "hashicorp/azurerm") && !azurermPin.MatchString(text) {
		problems = append(problems, "azurerm must be pinned as >= 4.73.0, < 5.0.0: names of arguments change in 5")
	}
	if module && providerBlock.MatchString(text) {
		problems = append(problems,
			"a module has no provider block: it could not be used with count, for_each or a second subscription")
	}
	if module && len(problems) == 0 {
		page, err := readMe(folder)
		if err != nil {
			return []string{err.Error()}
		}
		if present, _ := os.ReadFile(filepath.Join(folder, "README.md")); string(present) != page {
			problems = append(problems, "README.md does not say what the code says: ./kv terraform check --write writes it")
		}
	}
	return problems
}

// check runs all checks of a folder; folders may be checked side by side.
func (w *workshop) check(name string) findings {
	folder := filepath.Join(w.root, "terraform", name)
	module := strings.HasPrefix(name, "modules/")
	found := findings{name: name, problems: layoutProblems(filepath.Join(w.checkout, "terraform", name), module)}
	tests := "-test-directory=tests"
	if module {
		tests += "/unit"
	}
	var good []string
	did := func(passed, hint string, arguments ...string) bool {
		said, err := w.terraform(folder, arguments...)
		if err != nil {
			found.problems = append(found.problems, "terraform "+arguments[0]+": "+strings.TrimSpace(said)+hint)
		} else if passed != "" {
			good = append(good, passed)
		}
		return err == nil
	}
	did("formatted", "\n(terraform fmt -recursive does it)", "fmt", "-check", "-diff", "-recursive", "-no-color")
	// Each of these needs the one before.
	if did("", "", "init", "-backend=false", "-input=false", "-no-color", tests) && did("valid", "", "validate", "-no-color", tests) {
		said, err := w.terraform(folder, "test", "-no-color", tests)
		if passed := passedTests.FindStringSubmatch(said); err == nil && passed != nil {
			good = append(good, passed[1]+" tests")
		} else {
			good = append(good, "tests fail")
			found.problems = append(found.problems, "terraform test: "+strings.TrimSpace(testInProgress.ReplaceAllString(said, "")))
		}
	}
	found.summary = strings.Join(good, ", ")
	return found
}
