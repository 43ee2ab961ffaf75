package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

type block = map[string]any

// table reads one of a resource azurerm_thing.
func table(t *testing.T, lines string) *resourceTable {
	t.Helper()
	file := filepath.Join(t.TempDir(), "azurerm.values")
	write(t, file, "azurerm_thing https://example.com/thing\n  "+lines+"\n")
	tables, err := readValues(file)
	if err != nil {
		t.Fatal(err)
	}
	return tables["azurerm_thing"]
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestRulesRefuseValues(t *testing.T) {
	notKnown := any(unknown{})
	for _, each := range []struct {
		rule    string
		block   block
		refused string
	}{
		{"sku  one of Basic, Standard", block{"sku": "Standrd"}, `sku must be one of Basic, Standard, not "Standrd" (https://example.com/thing)`},
		{"sku  one of Basic, Standard", block{"sku": "Standard"}, ""},
		{"sku  one of Basic", block{"sku": notKnown}, ""},
		{"sku  one of Basic", block{}, ""},
		{"zones  one of 1, 2, 3", block{"zones": []any{"1", "4"}}, "zones must be one of 1, 2, 3"},
		{"zones  one of 1, 2, 3", block{"zones": []any{"1", notKnown}}, ""},
		{"minutes  between 4 and 100", block{"minutes": int8(3)}, "minutes must be between 4 and 100"},
		{"minutes  between 4 and 100", block{"minutes": int8(4)}, ""},
		{"minutes  between 4 and 100", block{"minutes": int8(100)}, ""},
		{"minutes  between 4 and 100", block{"minutes": 100.5}, `not "100.5"`},
		{"timeout  matches PT([5-9]|1[0-5])M", block{"timeout": "PT4M"}, "timeout must be of the form PT([5-9]|1[0-5])M"},
		{"timeout  matches PT([5-9]|1[0-5])M", block{"timeout": "PT15M"}, ""},
		{"group  needs single false", block{"group": "g"}, `group needs single to be "false"`},
		{"group  needs single false", block{"group": "g", "single": true}, `group needs single to be "false"`},
		{"group  needs single false", block{"group": "g", "single": false}, ""},
		{"group  needs single false", block{"group": "g", "single": notKnown}, ""},
		{"group  needs single false", block{"single": true}, ""},
		{"mode  Manual not with policy", block{"mode": "Manual", "policy": []any{block{}}}, `mode = "Manual" cannot be where policy is set`},
		{"mode  Manual not with policy", block{"mode": "Manual", "policy": []any{}}, ""},
		{"mode  Manual not with policy", block{"mode": "Rolling", "policy": []any{block{}}}, ""},
	} {
		said := ""
		for _, refused := range table(t, each.rule).refusals(each.block) {
			said += refused.reason
		}
		if each.refused == "" && said != "" || !strings.Contains(said, each.refused) {
			t.Errorf("%s: %v is refused with %q, not with %q", each.rule, each.block, said, each.refused)
		}
	}
}

func TestABlockIsFoundByItsPlace(t *testing.T) {
	refused := table(t, "card.mode  one of A, B").refusals(block{"card": []any{block{"mode": "A"}, block{"mode": "C"}}})
	if len(refused) != 1 || refused[0].at.String() != `AttributeName("card").ElementKeyInt(1).AttributeName("mode")` {
		t.Error(refused)
	}
}

func TestATableThatIsWrongSaysInWhichLine(t *testing.T) {
	for wrong, why := range map[string]string{
		"  sku  any of Basic": "any of Basic", "  sku one of Basic": "neither a resource", "  sku  matches (": "missing closing",
	} {
		file := filepath.Join(t.TempDir(), "azurerm.values")
		write(t, file, "azurerm_thing https://example.com/thing\n"+wrong+"\n")
		if _, err := readValues(file); err == nil || !strings.Contains(err.Error(), "azurerm.values:2: ") || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func TestReplacements(t *testing.T) {
	for _, each := range []struct {
		rule          string
		before, after block
		replaces      bool
	}{
		{"sku  replaces", block{"sku": "A"}, block{"sku": "B"}, true},
		{"sku  replaces", block{"sku": "A"}, block{"sku": "A"}, false},
		{"card.name  replaces", block{"card": []any{block{"name": "A"}}}, block{"card": []any{block{"name": "B"}}}, true},
		{"card.name  replaces", block{"card": []any{block{"name": "A"}}}, block{"card": []any{}}, false},
		{"size  replaces when lower", block{"size": int8(4)}, block{"size": int8(3)}, true},
		{"size  replaces when lower", block{"size": int8(4)}, block{"size": int16(300)}, false},
		{"zones  replaces when less", block{"zones": []any{"1", "2"}}, block{"zones": []any{"2", "3"}}, true},
		{"zones  replaces when less", block{"zones": []any{"1"}}, block{"zones": []any{"1", "2"}}, false},
		{"login  replaces when set", block{"login": "A"}, block{"login": "B"}, true},
		{"login  replaces when set", block{"login": nil}, block{"login": "B"}, false},
	} {
		if table(t, each.rule).replacements[0].isIn(each.before, each.after) != each.replaces {
			t.Errorf("%s: %v to %v", each.rule, each.before, each.after)
		}
	}
}

func TestTheTableOfThisCheckoutIsRead(t *testing.T) {
	tables, err := readValues("../testing/azurerm.values")
	if err != nil || len(tables["azurerm_lb"].refusals(block{"sku": "Standrd"})) != 1 {
		t.Error(err)
	}
	if facts := table(t, "policy  filled in\n  card  at most 8"); !reflect.DeepEqual(facts.filledIn, map[string]bool{"policy": true}) || facts.most["card"] != 8 {
		t.Error(facts)
	}
}
