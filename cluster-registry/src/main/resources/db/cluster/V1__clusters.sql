create table region (
    name         text primary key,
    display_name text        not null,
    created_at   timestamptz not null,
    version      bigint      not null
);

-- Symmetric: kept once, the lesser name first.
create table round_trip (
    one    text   not null references region on delete cascade,
    other  text   not null references region on delete cascade,
    micros bigint not null check (micros > 0),
    version bigint not null,
    primary key (one, other),
    check (one < other)
);

create table cluster (
    name       text primary key,
    region     text        not null references region,
    state      text        not null check (state in ('PROVISIONING', 'ACTIVE', 'DRAINING', 'OFFLINE')),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    version    bigint      not null
);

create index cluster_region on cluster (region, name);

create table process (
    cluster    text        not null references cluster,
    name       text        not null,
    -- host:port of its gRPC listener.
    address    text        not null unique,
    numa_node  integer,
    created_at timestamptz not null,
    version    bigint      not null,
    primary key (cluster, name)
);
