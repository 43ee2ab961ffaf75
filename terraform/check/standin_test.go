package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const good = `terraform {
  required_providers {
    azurerm = { source = "hashicorp/azurerm" }
  }
}

resource "azurerm_lb_rule" "grpc" {
  name                           = "grpc"
  loadbalancer_id                = "lb"
  frontend_ip_configuration_name = "frontend"
  protocol                       = "Tcp"
  frontend_port                  = 8085
  backend_port                   = 8085
  tcp_reset_enabled              = true
}

resource "azurerm_lb" "this" {
  name                = "lb"
  location            = "germanywestcentral"
  resource_group_name = "rg"
  sku                 = "Standard"

  frontend_ip_configuration {
    name = "frontend"
  }
}

resource "azurerm_subnet" "postgres" {
  name                 = "postgres"
  resource_group_name  = "rg"
  virtual_network_name = "vnet"
  address_prefixes     = ["10.64.18.0/24"]

  delegation {
    name = "postgres"

    service_delegation {
      name = "Microsoft.DBforPostgreSQL/flexibleServers"
    }
  }
}
`

const provider = "provider \"azurerm\" {\n  features {}\n}\n"

func requireTerraform(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("terraform"); err != nil {
		t.Skip("missing: terraform, of https://developer.hashicorp.com/terraform")
	}
}

// started is a workshop of this checkout; without Terraform or the package of npm the test is skipped.
func started(t *testing.T, pretending bool) *workshop {
	t.Helper()
	requireTerraform(t)
	checkout, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(checkout, "target/terraform/loaded")); err != nil {
		t.Skip("missing: the schema of azurerm, which ./kv terraform check loads")
	}
	w, err := openWorkshop(checkout, "", pretending)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.close)
	return w
}

func TestMistakesAreFoundWithTheirLine(t *testing.T) {
	w := started(t, false)
	folder := t.TempDir()
	file := filepath.Join(folder, "main.tf")
	write(t, file, good)
	for _, command := range []string{"init", "validate"} {
		if said, err := w.terraform(folder, command, "-no-color"); err != nil {
			t.Fatal(said)
		}
	}
	for _, each := range []struct{ from, to, said string }{
		{"tcp_reset_enabled ", "tcp_resets_enabled", "Unsupported argument on main.tf line 14"},
		{"  backend_port                   = 8085\n", "", `"backend_port" is required`},
		{"= true", `= "perhaps"`, "a bool is required"},
		{"    service_delegation {", "    service_delegation {\n      name = \"other\"\n    }\n    service_delegation {", "Too many service_delegation blocks"},
		{`"Standard"`, `"Standrd"`, "on main.tf line 21"},
		{`"Standard"`, `"Standrd"`, "one of Basic, Gateway, Standard"},
		{`"Standard"`, `"Standrd"`, "azurerm/4.73.0/docs/resources/lb"},
		{"= true", "= true\n  idle_timeout_in_minutes = 3", "between 4 and 100"},
		{`    name = "frontend"`, "    name = \"frontend\"\n    subnet_id = \"a\"\n    public_ip_address_id = \"b\"", "subnet_id cannot be where public_ip_address_id is set"},
		{`azurerm_lb_rule"`, `azurerm_lb_ruler"`, "azurerm_lb_ruler"},
	} {
		write(t, file, strings.Replace(good, each.from, each.to, 1))
		said, err := w.terraform(folder, "validate", "-no-color")
		if said = strings.Join(strings.Fields(said), " "); err == nil || !strings.Contains(said, each.said) {
			t.Errorf("%s is not in: %s", each.said, said)
		}
	}
	write(t, file, good+provider)
	if said, err := w.terraform(folder, "plan", "-no-color", "-input=false"); err == nil || !strings.Contains(said, "not supported") || strings.Contains(said, "Plan:") {
		t.Error(said)
	}
}

const balancer = `terraform {
  required_providers {
    azurerm = { source = "hashicorp/azurerm" }
  }
}

resource "azurerm_lb" "this" {
  name                = "lb"
  location            = "westeurope"
  resource_group_name = "rg"
  tags                = { a = "b" }

  frontend_ip_configuration {
    name = "front"
  }
}

output "ids" {
  value = [azurerm_lb.this.id, azurerm_lb.this.frontend_ip_configuration[0].id]
}
` + provider

func TestAStateOverSeveralRunsInAnAzureThatIsPretended(t *testing.T) {
	w := started(t, true)
	folder := t.TempDir()
	for _, each := range []struct {
		from, to string
		command  []string
		said     string
	}{
		{"", "", []string{"init"}, "initialized"},
		{"", "", []string{"apply", "-auto-approve"}, `/resourceGroups/rg/providers/Microsoft.Network/loadBalancers/lb"`},
		{"", "", []string{"output"}, `/loadBalancers/lb/id/front"`},
		{"", "", []string{"plan", "-detailed-exitcode"}, "No changes"},
		{`a = "b"`, `a = "c"`, []string{"plan"}, "0 to add, 1 to change, 0 to destroy"},
		{`"lb"`, `"other"`, []string{"plan"}, "forces replacement"},
		{`"lb"`, `"other"`, []string{"plan"}, "1 to add, 0 to change, 1 to destroy"},
		{"", "", []string{"destroy", "-auto-approve"}, "1 destroyed"},
	} {
		write(t, filepath.Join(folder, "main.tf"), strings.Replace(balancer, each.from, each.to, 1))
		if said, err := w.terraform(folder, append(each.command, "-no-color")...); err != nil || !strings.Contains(said, each.said) {
			t.Errorf("%v: %s is not in: %s", each.command, each.said, said)
		}
	}
}

func TestACopyGoesWhenItIsClosed(t *testing.T) {
	w := started(t, false)
	if _, err := os.Stat(filepath.Join(w.root, "deploy/machine/kv-node.service")); err != nil {
		t.Error(err)
	}
	w.close()
	if _, err := os.Stat(w.root); !os.IsNotExist(err) {
		t.Error(err)
	}
}

func TestABinaryIsAskedWhereTerraformReachesIt(t *testing.T) {
	const serves = "#!/bin/sh\necho \"\tTF_REATTACH_PROVIDERS='{\\\"registry.terraform.io/hashicorp/%s\\\":{\\\"Protocol\\\":\\\"grpc\\\"}}'\"\nexec sleep 600\n"
	for script, wanted := range map[string]string{
		strings.ReplaceAll(serves, "%s", "azurerm"):            `{"registry.terraform.io/hashicorp/azurerm":{"Protocol":"grpc"}}`,
		strings.ReplaceAll(serves, "%s", "aws"):                "is no provider registry.terraform.io/hashicorp/azurerm",
		"#!/bin/sh\necho \"$1: no such option\" >&2; exit 2\n": "-debuggable: no such option",
	} {
		ctx, cancel := context.WithCancel(context.Background())
		file := filepath.Join(t.TempDir(), "provider")
		write(t, file, script)
		if err := os.Chmod(file, 0o755); err != nil {
			t.Fatal(err)
		}
		said, err := startAzurerm(ctx, file)
		if err != nil {
			said = err.Error()
		}
		if !strings.Contains(said, wanted) {
			t.Errorf("%s is not in: %s", wanted, said)
		}
		cancel()
	}
}
