package main

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// valueRule says why azurerm refuses an argument of a block, or nothing. Unknown and unset values are good.
type valueRule func(name string, block map[string]any) string

var (
	besideRule  = regexp.MustCompile(`^(?:(\S+) )?(needs|not with) (\w+)(?: (\S+))?$`)
	betweenRule = regexp.MustCompile(`^between (-?\d+) and (-?\d+)$`)
)

func readRule(rule string) (valueRule, error) {
	if words, is := strings.CutPrefix(rule, "one of "); is {
		all := strings.Split(words, ", ")
		return forEach(rule, func(value any) bool { return slices.Contains(all, fmt.Sprint(value)) }), nil
	}
	if form, is := strings.CutPrefix(rule, "matches "); is {
		whole, err := regexp.Compile("^(?:" + form + ")$")
		return forEach("of the form "+form, func(value any) bool { return whole.MatchString(fmt.Sprint(value)) }), err
	}
	if ends := betweenRule.FindStringSubmatch(rule); ends != nil {
		least, most := number(ends[1]), number(ends[2])
		return forEach(rule, func(value any) bool { return number(value) >= least && number(value) <= most }), nil
	}
	if parts := besideRule.FindStringSubmatch(rule); parts != nil {
		return beside(parts[1], parts[2] == "not with", parts[3], parts[4]), nil
	}
	return nil, fmt.Errorf("a rule is \"one of A, B\", \"between 1 and 2\", \"matches FORM\", \"[VALUE] needs OTHER [VALUE]\" or"+
		" \"[VALUE] not with OTHER [VALUE]\", not %q", rule)
}

// forEach is the rule for an argument, or each element of one that is a list.
func forEach(what string, takes func(any) bool) valueRule {
	return func(name string, block map[string]any) string {
		list, many := block[name].([]any)
		if !many {
			list = []any{block[name]}
		}
		for _, value := range list {
			if value != nil && value != any(unknown{}) && !takes(value) {
				return fmt.Sprintf("%s must be %s, not %q", name, what, fmt.Sprint(value))
			}
		}
		return ""
	}
}

// beside is what another argument must, or must not, be where this one is set to a value; an empty one stands for any.
func beside(value string, not bool, other, wanted string) valueRule {
	needs, be := " needs "+other+" to be ", "set"
	if not {
		needs = " cannot be where " + other + " is "
	}
	if wanted != "" {
		be = strconv.Quote(wanted)
	}
	here := ""
	if value != "" {
		here = fmt.Sprintf(" = %q", value)
	}
	return func(name string, block map[string]any) string {
		if block[name] == any(unknown{}) || block[other] == any(unknown{}) || !isSet(block[name], value) || isSet(block[other], wanted) != not {
			return ""
		}
		return name + here + needs + be
	}
}

func isSet(value any, wanted string) bool {
	list, many := value.([]any)
	return value != nil && !(many && len(list) == 0) && (wanted == "" || fmt.Sprint(value) == wanted)
}

// replacement is an argument whose change makes azurerm plan another resource in place of the one that is there.
type replacement struct {
	path []string
	when string // the changes that count: "" (all), "when lower", "when less" or "when set"
}

// isIn tells whether the change from one state of a resource to another is such a one.
func (r replacement) isIn(before, after any) bool {
	switch before := before.(type) {
	case []any:
		after, _ := after.([]any)
		for i := range min(len(before), len(after)) {
			if r.isIn(before[i], after[i]) {
				return true
			}
		}
	case map[string]any:
		after, there := after.(map[string]any)
		one, other := before[r.path[0]], after[r.path[0]]
		if len(r.path) > 1 {
			return replacement{r.path[1:], r.when}.isIn(one, other)
		}
		return there && !reflect.DeepEqual(one, other) && r.counts(one, other)
	}
	return false
}

func (r replacement) counts(before, after any) bool {
	switch r.when {
	case "when lower":
		return number(after) < number(before)
	case "when less":
		all, _ := before.([]any)
		left, known := after.([]any)
		return known && slices.ContainsFunc(all, func(gone any) bool {
			return !slices.ContainsFunc(left, func(each any) bool { return reflect.DeepEqual(each, gone) })
		})
	case "when set":
		return before != nil && before != ""
	}
	return true
}
