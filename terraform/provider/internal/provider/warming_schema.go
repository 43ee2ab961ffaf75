package provider

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/boolvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

const (
	usualWarmingBytes    = 100_000_000
	usualWarmingRequests = 2_000
	usualPreheat         = "storage"
	// leastSecondsListed is for selections that need a listing of the whole storage.
	leastSecondsListed = 3_600
)

var warmedPartition = regexp.MustCompile(`^[^\x00-\x1F\x7F]{1,512}$`)

var selectionTypes = map[string]attr.Type{
	"hottest_bytes": types.Int64Type,
	"used":          types.BoolType,
	"stored_since":  timetypes.RFC3339Type{},
	"all":           types.BoolType,
	"partition":     types.StringType,
	"block_tokens":  types.Int64Type,
}

// Metadata names the resource.
func (r *warmingResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_warming"
}

// Schema describes the resource.
func (r *warmingResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	replaces := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	replacesNumber := []planmodifier.Int64{int64planmodifier.RequiresReplace()}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A standing warming: copies blocks of an account from one region's storage into another's, again and again. " +
			"Both replicas must have passed a trial: name the account by a `kvstore_account_ready`. A change of any argument cancels the warming and makes another; " +
			"deletion cancels it. Copied blocks stay. To pause it is an act (`kv admin warming pause`), which no apply reverts.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Id of the warming.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"account": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name of the account.",
				PlanModifiers:       replaces,
				Validators:          []validator.String{isResourceName()},
			},
			"from": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Region whose blocks are copied.",
				PlanModifiers:       replaces,
				Validators:          []validator.String{isName()},
			},
			"to": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Region that they are copied into.",
				PlanModifiers:       replaces,
				Validators:          []validator.String{isName()},
			},
			"select": schema.SingleNestedAttribute{
				Required: true,
				MarkdownDescription: "Which blocks: exactly one of `hottest_bytes`, `used`, `stored_since` and `all`, of one partition if `partition` is set; " +
					"or `partition` without any of them, which means all of its blocks.",
				PlanModifiers: []planmodifier.Object{objectplanmodifier.RequiresReplace()},
				Attributes:    selectionAttributes(),
			},
			"every_seconds": schema.Int64Attribute{
				Required: true,
				MarkdownDescription: "Time between two rounds, 10 to 2592000 s; 3600 or more unless `hottest_bytes` or `used` is set, " +
					"since all else lists the storage.",
				PlanModifiers: replacesNumber,
				Validators:    []validator.Int64{int64validator.Between(10, 2_592_000)},
			},
			"bytes_per_second": schema.Int64Attribute{
				Optional:            true,
				Computed:            true,
				Default:             int64default.StaticInt64(usualWarmingBytes),
				MarkdownDescription: "Most bytes copied in a second by all data planes together, 65536 to 10^11. Default: 10^8.",
				PlanModifiers:       replacesNumber,
				Validators:          []validator.Int64{int64validator.Between(65_536, 100_000_000_000)},
			},
			"requests_per_second": schema.Int64Attribute{
				Optional:            true,
				Computed:            true,
				Default:             int64default.StaticInt64(usualWarmingRequests),
				MarkdownDescription: "Most calls to either storage in a second by all data planes together, 1 to 100000. Default: 2000.",
				PlanModifiers:       replacesNumber,
				Validators:          []validator.Int64{int64validator.Between(1, 100_000)},
			},
			"preheat": schema.StringAttribute{
				Optional: true,
				Computed: true,
				Default:  stringdefault.StaticString(usualPreheat),
				MarkdownDescription: "How near blocks are to be where they are copied to: `storage`; `disk` or `memory` keeps them there too, " +
					"as far as there is free room. Default: `storage`.",
				PlanModifiers: replaces,
				Validators:    []validator.String{oneOf(usualPreheat, "disk", "memory")},
			},
			"state": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "What it does: `planning`, `running`, `waiting` for its next round, or `paused`.",
			},
		},
	}
}

// selectionAttributes describe which blocks are copied. There is no prefix: the service takes none in a standing warming.
func selectionAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"hottest_bytes": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "So many bytes of the blocks that were used most of late, 1 to 10^15.",
			Validators:          []validator.Int64{int64validator.Between(1, 1_000_000_000_000_000)},
		},
		"used": schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "`true`: blocks that were read or written since the last round; in the first round all blocks of which " +
				"a use is known.",
			Validators: []validator.Bool{boolvalidator.Equals(true)},
		},
		"stored_since": schema.StringAttribute{
			CustomType:          timetypes.RFC3339Type{},
			Optional:            true,
			MarkdownDescription: "Blocks that were stored at this time or later, as in `2026-01-31T00:00:00Z`.",
		},
		"all": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "`true`: all blocks.",
			Validators:          []validator.Bool{boolvalidator.Equals(true)},
		},
		"partition": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Only blocks of this partition, 1 to 512 characters.",
			Validators: []validator.String{
				matches(warmedPartition, "must be 1 to 512 characters, none of them control characters"),
			},
		},
		"block_tokens": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "Tokens of a block of `partition`, 1 to 8192. Not set: 128.",
			Validators: []validator.Int64{
				int64validator.Between(1, 8192),
				int64validator.AlsoRequires(path.MatchRelative().AtParent().AtName("partition")),
			},
		},
	}
}

// ValidateConfig holds rules between attributes.
func (r *warmingResource) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	var m warmingModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !m.From.IsUnknown() && !m.To.IsUnknown() && m.From.Equal(m.To) {
		resp.Diagnostics.AddAttributeError(path.Root("to"), "A warming of a region from itself", "to must be another region than from.")
	}
	if m.Select.IsNull() || m.Select.IsUnknown() {
		return
	}
	s := selected(ctx, &m, &resp.Diagnostics)
	ways := 0
	for _, way := range []attr.Value{s.HottestBytes, s.Used, s.StoredSince, s.All} {
		if way.IsUnknown() {
			return
		}
		if !way.IsNull() {
			ways++
		}
	}
	if ways > 1 || (ways == 0 && s.Partition.IsNull()) {
		resp.Diagnostics.AddAttributeError(path.Root("select"), "The selection is not clear",
			"select must have exactly one of hottest_bytes, used, stored_since and all, or a partition alone.")
		return
	}
	listed := s.HottestBytes.IsNull() && s.Used.IsNull()
	if listed && !m.EverySeconds.IsUnknown() && m.EverySeconds.ValueInt64() < leastSecondsListed {
		resp.Diagnostics.AddAttributeError(path.Root("every_seconds"), "The storage would be listed too often",
			"every_seconds must be 3600 or more where storage is listed: select used or hottest_bytes to copy more often.")
	}
}
