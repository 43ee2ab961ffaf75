-- Every change: the audit log, and what data planes hear of.
create table change (
    id             bigint generated always as identity primary key,
    at             timestamptz not null,
    actor          text        not null,
    role           text        not null,
    tenant         text,
    action         text        not null,
    kind           text        not null,
    name           text        not null,
    before         jsonb,
    after          jsonb,
    key_ids        text[]      not null,
    resource_names text[]      not null
);

create index change_subject on change (kind, name, id);
create index change_tenant on change (tenant, id);
create index change_actor on change (actor, id);
