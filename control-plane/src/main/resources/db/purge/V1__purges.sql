-- Grows with each change of any purge, one transaction at a time: who knows all up to a version has missed none.
create sequence purge_version;
create sequence purge_claim;

create table purge (
    id text primary key,
    resource_name text not null,
    tenant text not null,
    -- Which blocks: of a partition, of them the one with this hash, or those that a key wrote.
    partition_name text,
    block_tokens integer,
    root bytea,
    hash bytea,
    key_id text,
    state text not null,
    version bigint not null,
    created_at timestamptz not null,
    ended_at timestamptz,
    check ((root is null) <> (key_id is null)),
    check (hash is null or root is not null)
);
create unique index purge_by_version on purge (version);
create index purge_by_account on purge (resource_name, id);
create index purge_by_tenant on purge (tenant, id);
create index purge_open on purge (id) where ended_at is null;

-- The account's storage in a region, and how far it is gone through.
create table purge_region (
    purge text not null references purge on delete cascade,
    region text not null,
    -- As it was when the purge was made: what came from there is forgotten, whatever becomes of the replica.
    endpoint text not null,
    container text not null,
    credential text not null,
    create_container boolean not null,
    list_cursor text not null default '',
    done boolean not null default false,
    looked_at bigint not null default 0,
    deleted bigint not null default 0,
    failed bigint not null default 0,
    flaw text,
    waiting text,
    claim bigint,
    claimed_by uuid,
    claimed_until timestamptz,
    primary key (purge, region)
);

-- The version up to which a process, by its lease, has forgotten what was purged. Kept while purges are under way.
create table purge_follower (
    lease uuid primary key,
    done bigint not null
);
