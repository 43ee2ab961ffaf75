package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// resourceTable has what azurerm takes for one resource, of terraform/testing/azurerm.values, where its form is explained.
type resourceTable struct {
	rules        []tableRule
	replacements []replacement
	// Facts that the schema of the package lacks, by path: how many blocks there may be, and what azurerm fills in where a
	// configuration does not set it.
	most     map[string]int64
	filledIn map[string]bool
}

type tableRule struct {
	path []string
	page string
	says valueRule
}

var (
	resourceLine = regexp.MustCompile(`^(azurerm_\w+) +(https://\S+)$`)
	ruleLine     = regexp.MustCompile(`^ +([\w.]+)  +(\S.*?)(?:  +\((?:at plan|at apply)\))?$`)
)

func readValues(file string) (map[string]*resourceTable, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	tables := map[string]*resourceTable{}
	var current *resourceTable
	page := ""
	for i, line := range strings.Split(string(content), "\n") {
		resource, rule := resourceLine.FindStringSubmatch(line), ruleLine.FindStringSubmatch(line)
		switch {
		case resource != nil:
			if page = resource[2]; tables[resource[1]] == nil {
				tables[resource[1]] = &resourceTable{most: map[string]int64{}, filledIn: map[string]bool{}}
			}
			current = tables[resource[1]]
		case rule != nil && current != nil:
			err = current.add(rule[1], rule[2], page)
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
			err = fmt.Errorf("neither a resource with its page, nor an argument with its rule")
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", filepath.Base(file), i+1, err)
		}
	}
	return tables, nil
}

func (t *resourceTable) add(argument, rule, page string) (err error) {
	path := strings.Split(argument, ".")
	most, isMost := strings.CutPrefix(rule, "at most ")
	when, replaces := strings.CutPrefix(rule, "replaces")
	switch {
	case rule == "filled in":
		t.filledIn[argument] = true
	case isMost:
		t.most[argument], err = strconv.ParseInt(most, 10, 64)
	case replaces:
		t.replacements = append(t.replacements, replacement{path, strings.TrimSpace(when)})
	default:
		says, err := readRule(rule)
		t.rules = append(t.rules, tableRule{path, page, says})
		return err
	}
	return err
}

// refusal is a value that azurerm refuses.
type refusal struct {
	at     *tftypes.AttributePath
	reason string
}

// refusals of a configuration, which is of plain values.
func (t *resourceTable) refusals(configuration any) (all []refusal) {
	if t != nil {
		for _, rule := range t.rules {
			all = append(all, rule.refusals(rule.path, configuration, tftypes.NewAttributePath())...)
		}
	}
	return all
}

func (r tableRule) refusals(left []string, value any, at *tftypes.AttributePath) (all []refusal) {
	switch value := value.(type) {
	case []any:
		for i, each := range value {
			all = append(all, r.refusals(left, each, at.WithElementKeyInt(i))...)
		}
	case map[string]any:
		if len(left) > 1 {
			return r.refusals(left[1:], value[left[0]], at.WithAttributeName(left[0]))
		}
		if reason := r.says(left[0], value); reason != "" {
			all = append(all, refusal{at.WithAttributeName(left[0]), reason + " (" + r.page + ")"})
		}
	}
	return all
}
