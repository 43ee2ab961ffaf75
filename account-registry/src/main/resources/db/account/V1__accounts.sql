create table tenant (
    name         text primary key,
    display_name text        not null,
    state        text        not null check (state in ('ACTIVE', 'SUSPENDED', 'DELETED')),
    created_at   timestamptz not null,
    updated_at   timestamptz not null,
    version      bigint      not null
);

create table api_key (
    id         text primary key,
    tenant     text        not null references tenant,
    label      text        not null,
    -- Of the whole key; the key itself is nowhere.
    sha256     bytea       not null check (length(sha256) = 32),
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    version    bigint      not null
);

create index api_key_tenant on api_key (tenant, id);

create table account (
    resource_name    text primary key,
    tenant           text        not null references tenant,
    home_region      text        not null,
    state            text        not null check (state in ('ACTIVE', 'DELETED')),
    operations       integer     not null check (operations >= 0),
    bytes_per_second bigint      not null check (bytes_per_second >= 0),
    created_at       timestamptz not null,
    updated_at       timestamptz not null,
    version          bigint      not null
);

create index account_tenant on account (tenant, resource_name);

-- Where an account's blobs are, one place a region. Stays when the account is deleted: blobs may still be there, and
-- nobody else may register their place.
create table replica (
    resource_name    text        not null references account,
    region           text        not null,
    endpoint         text        not null,
    container        text        not null,
    -- A reference: managed-identity, env:NAME, file:/path, keyvault:https://...
    credential       text        not null,
    create_container boolean     not null,
    vouched          boolean     not null,
    nonce            text        not null,
    state            text        not null check (state in ('UNPROVEN', 'READY', 'FAILING')),
    report           jsonb,
    probed_at        timestamptz,
    probe_after      timestamptz not null,
    primary key (resource_name, region),
    unique (endpoint, container)
);

create index replica_to_probe on replica (probe_after) where state <> 'READY';

create table placement (
    resource_name text    not null references account,
    region        text    not null,
    cluster       text    not null,
    pinned        boolean not null,
    version       bigint  not null,
    primary key (resource_name, region)
);

create table account_grant (
    resource_name text        not null references account,
    name          text        not null,
    grantee       text        not null references tenant,
    -- One key of the grantee; null for all of them.
    key_id        text        references api_key,
    reads         boolean     not null,
    writes        boolean     not null,
    -- One partition; null for all of the account.
    partition     text,
    created_at    timestamptz not null,
    expires_at    timestamptz,
    version       bigint      not null,
    primary key (resource_name, name)
);

create index account_grant_grantee on account_grant (grantee, resource_name);
