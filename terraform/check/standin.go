package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

const azurermAddress = "registry.terraform.io/hashicorp/azurerm"

// standIn answers what Terraform asks of azurerm where resources are mocked: schemas, and whether arguments are good. With
// made-up values it also pretends to apply: it takes everything, and keeps nothing but what Terraform's state has.
type standIn struct {
	tfprotov5.ProviderServer // Terraform asks nothing else of a provider that it did not configure.

	schemas *tfprotov5.GetProviderSchemaResponse
	tables  map[string]*resourceTable
	made    madeUp // nil where it refuses all that would speak with Azure
}

// serve answers any number of Terraforms until the context ends; the result tells them where, as TF_REATTACH_PROVIDERS.
func serve(ctx context.Context, provider tfprotov5.ProviderServer) (string, error) {
	started, closed := make(chan *plugin.ReattachConfig), make(chan struct{})
	go tf5server.Serve(azurermAddress, func() tfprotov5.ProviderServer { return provider },
		tf5server.WithDebug(ctx, started, closed), tf5server.WithGoPluginLogger(hclog.NewNullLogger()))
	at := <-started
	reattach, err := json.Marshal(map[string]any{azurermAddress: map[string]any{
		"Protocol": at.Protocol, "ProtocolVersion": at.ProtocolVersion, "Pid": os.Getpid(), "Test": true,
		"Addr": map[string]string{"Network": at.Addr.Network(), "String": at.Addr.String()},
	}})
	return string(reattach), err
}

func (s *standIn) GetProviderSchema(context.Context, *tfprotov5.GetProviderSchemaRequest) (*tfprotov5.GetProviderSchemaResponse, error) {
	return s.schemas, nil
}

func (s *standIn) GetResourceIdentitySchemas(context.Context, *tfprotov5.GetResourceIdentitySchemasRequest) (*tfprotov5.GetResourceIdentitySchemasResponse, error) {
	return &tfprotov5.GetResourceIdentitySchemasResponse{}, nil
}

func (s *standIn) PrepareProviderConfig(_ context.Context, ask *tfprotov5.PrepareProviderConfigRequest) (*tfprotov5.PrepareProviderConfigResponse, error) {
	return &tfprotov5.PrepareProviderConfigResponse{PreparedConfig: ask.Config}, nil
}

// ConfigureProvider comes before every question that would speak with Azure.
func (s *standIn) ConfigureProvider(context.Context, *tfprotov5.ConfigureProviderRequest) (*tfprotov5.ConfigureProviderResponse, error) {
	answer := &tfprotov5.ConfigureProviderResponse{}
	if s.made == nil {
		answer.Diagnostics = []*tfprotov5.Diagnostic{{
			Severity: tfprotov5.DiagnosticSeverityError, Summary: "azurerm is stood in for",
			Detail: "The stand-in speaks with no Azure: a plan is not supported, but by tests that mock azurerm (mock_provider).",
		}}
	}
	return answer, nil
}

func (s *standIn) StopProvider(context.Context, *tfprotov5.StopProviderRequest) (*tfprotov5.StopProviderResponse, error) {
	return &tfprotov5.StopProviderResponse{}, nil
}

func (s *standIn) ValidateResourceTypeConfig(_ context.Context, ask *tfprotov5.ValidateResourceTypeConfigRequest) (*tfprotov5.ValidateResourceTypeConfigResponse, error) {
	answer := &tfprotov5.ValidateResourceTypeConfigResponse{}
	configuration, err := plain(ask.Config)
	for _, refused := range s.tables[ask.TypeName].refusals(configuration) {
		answer.Diagnostics = append(answer.Diagnostics, &tfprotov5.Diagnostic{
			Severity: tfprotov5.DiagnosticSeverityError, Summary: "azurerm does not take this value",
			Detail: refused.reason, Attribute: refused.at,
		})
	}
	return answer, err
}

func (s *standIn) ValidateDataSourceConfig(context.Context, *tfprotov5.ValidateDataSourceConfigRequest) (*tfprotov5.ValidateDataSourceConfigResponse, error) {
	return &tfprotov5.ValidateDataSourceConfigResponse{}, nil
}

// UpgradeResourceState reads a state of other attributes too: those that are gone go, those that came are null.
func (s *standIn) UpgradeResourceState(_ context.Context, ask *tfprotov5.UpgradeResourceStateRequest) (*tfprotov5.UpgradeResourceStateResponse, error) {
	state, err := ask.RawState.UnmarshalWithOpts(s.schemas.ResourceSchemas[ask.TypeName].ValueType(),
		tfprotov5.UnmarshalOpts{ValueFromJSONOpts: tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true}})
	if err != nil {
		return nil, err
	}
	upgraded, err := tfprotov5.NewDynamicValue(state.Type(), state)
	return &tfprotov5.UpgradeResourceStateResponse{UpgradedState: &upgraded}, err
}

func (s *standIn) ReadResource(_ context.Context, ask *tfprotov5.ReadResourceRequest) (*tfprotov5.ReadResourceResponse, error) {
	return &tfprotov5.ReadResourceResponse{NewState: ask.CurrentState, Private: ask.Private}, nil
}

func (s *standIn) PlanResourceChange(_ context.Context, ask *tfprotov5.PlanResourceChangeRequest) (*tfprotov5.PlanResourceChangeResponse, error) {
	before, err := plain(ask.PriorState)
	after, err2 := plain(ask.ProposedNewState)
	block := s.schemas.ResourceSchemas[ask.TypeName].Block
	planned, err3 := changed(ask.ProposedNewState, block, unknowns(block, before == nil))
	answer := &tfprotov5.PlanResourceChangeResponse{PlannedState: planned, PlannedPrivate: ask.PriorPrivate}
	// A change of these makes another one of any resource.
	replacements := []replacement{{path: []string{"name"}}, {path: []string{"location"}}, {path: []string{"resource_group_name"}}}
	if table := s.tables[ask.TypeName]; table != nil {
		replacements = append(replacements, table.replacements...)
	}
	for _, replacement := range replacements {
		if replacement.isIn(before, after) {
			answer.RequiresReplace = append(answer.RequiresReplace, tftypes.NewAttributePath().WithAttributeName(replacement.path[0]))
		}
	}
	return answer, errors.Join(err, err2, err3)
}

func (s *standIn) ApplyResourceChange(_ context.Context, ask *tfprotov5.ApplyResourceChangeRequest) (*tfprotov5.ApplyResourceChangeResponse, error) {
	state, err := changed(ask.PlannedState, s.schemas.ResourceSchemas[ask.TypeName].Block, s.made.fill(ask.TypeName))
	return &tfprotov5.ApplyResourceChangeResponse{NewState: state, Private: ask.PlannedPrivate}, err
}

func (s *standIn) ReadDataSource(_ context.Context, ask *tfprotov5.ReadDataSourceRequest) (*tfprotov5.ReadDataSourceResponse, error) {
	block := s.schemas.DataSourceSchemas[ask.TypeName].Block
	state, err := changed(ask.Config, block, unknowns(block, true), s.made.fill(ask.TypeName))
	return &tfprotov5.ReadDataSourceResponse{State: state}, err
}

// valueChange makes another value of one that is somewhere in a resource.
type valueChange func(resource tftypes.Value, at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error)

func changed(from *tfprotov5.DynamicValue, block *tfprotov5.SchemaBlock, changes ...valueChange) (*tfprotov5.DynamicValue, error) {
	resource, err := from.Unmarshal(block.ValueType())
	for _, change := range changes {
		if err == nil {
			before := resource
			resource, err = tftypes.Transform(before, func(at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
				return change(before, at, value)
			})
		}
	}
	if err != nil {
		return nil, err
	}
	made, err := tfprotov5.NewDynamicValue(resource.Type(), resource)
	return &made, err
}

// unknowns makes a plan: values that Azure computes are unknown for a new resource, and write-only values are in no plan.
func unknowns(block *tfprotov5.SchemaBlock, isNew bool) valueChange {
	return func(_ tftypes.Value, at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		attribute := attributeAt(block, at)
		switch {
		case attribute != nil && attribute.WriteOnly:
			return tftypes.NewValue(value.Type(), nil), nil
		case attribute != nil && attribute.Computed && value.IsNull() && isNew:
			return tftypes.NewValue(value.Type(), tftypes.UnknownValue), nil
		}
		return value, nil
	}
}

// attributeAt is nil for blocks, and for what is in an attribute.
func attributeAt(block *tfprotov5.SchemaBlock, path *tftypes.AttributePath) (found *tfprotov5.SchemaAttribute) {
	for _, step := range path.Steps() {
		if found != nil {
			return nil
		}
		name, _ := step.(tftypes.AttributeName)
		for _, attribute := range block.Attributes {
			if attribute.Name == string(name) {
				found = attribute
			}
		}
		for _, nested := range block.BlockTypes {
			if nested.TypeName == string(name) {
				block = nested.Block
				break
			}
		}
	}
	return found
}
