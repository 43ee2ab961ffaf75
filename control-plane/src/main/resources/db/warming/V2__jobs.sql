-- Warmings: blocks of an account that are copied from one region's storage into another's.
create table warming (
    id                  text primary key,
    resource_name       text        not null,
    tenant              text        not null,
    source              text        not null,
    target              text        not null,
    -- Which blocks, as whoever wanted it said.
    selection           jsonb       not null,
    bytes_per_second    bigint      not null check (bytes_per_second > 0),
    requests_per_second integer     not null check (requests_per_second > 0),
    preheat             text        not null check (preheat in ('STORAGE', 'DISK', 'MEMORY')),
    state               text        not null
        check (state in ('PLANNING', 'RUNNING', 'WAITING', 'PAUSED', 'DONE', 'PARTIAL', 'CANCELLED', 'FAILED')),
    -- What is wrong, or worth knowing.
    flaw                text,
    -- All of its chunks are there.
    planned             boolean     not null default false,
    -- A data plane has to list what is stored, and has done so; where it is, and by which claim.
    listing             boolean     not null,
    listed              boolean     not null default false,
    list_cursor         text        not null default '',
    claim               bigint      not null default 0,
    claimed_until       timestamptz,
    -- It is planned anew so often; null for once.
    every_seconds       bigint check (every_seconds > 0),
    -- When it was planned last, when it is to be planned next, and which planning has been carried out.
    planned_at          timestamptz,
    plan_after          timestamptz,
    caught_up_at        timestamptz,
    -- Of its chunks together, those of earlier rounds among them; never less than before.
    blocks              bigint      not null default 0,
    bytes               bigint      not null default 0,
    copied              bigint      not null default 0,
    copied_bytes        bigint      not null default 0,
    present             bigint      not null default 0,
    present_bytes       bigint      not null default 0,
    failed              bigint      not null default 0,
    failed_bytes        bigint      not null default 0,
    created_at          timestamptz not null,
    started_at          timestamptz,
    ended_at            timestamptz,
    version             bigint      not null default 0
);

create index warming_account on warming (resource_name, id);
create index warming_open on warming (target, id) where state in ('PLANNING', 'RUNNING', 'WAITING');
create index warming_ended on warming (ended_at) where ended_at is not null;

-- What a listing found, until it is put in order.
create table warming_found (
    warming text   not null references warming on delete cascade,
    rank    bigint not null,
    bytes   bigint not null,
    -- Root and hash.
    name    bytea  not null check (length(name) = 64)
);

create index warming_found_order on warming_found (warming, rank);

-- Blocks that one process copies.
create table warming_chunk (
    warming          text    not null references warming on delete cascade,
    number           integer not null,
    -- 68 bytes a block: root, hash, length.
    blocks           bytea   not null,
    -- A byte a block, of those that are done: 1 copied, 2 present, 3 failed.
    outcomes         bytea   not null default '',
    done             boolean not null default false,
    claim            bigint  not null default 0,
    claimed_until    timestamptz,
    -- As whoever claims it says.
    bytes_per_second bigint  not null default 0,
    waiting          text    not null default '',
    primary key (warming, number)
);

create index warming_chunk_open on warming_chunk (warming, number) where not done;
create index warming_chunk_claimed on warming_chunk (warming, claimed_until) where not done;

-- Why blocks could not be copied.
create table warming_failure (
    warming text    not null,
    chunk   integer not null,
    -- Of the chunk, in this order.
    block   integer not null,
    reason  text    not null,
    primary key (warming, chunk, block),
    foreign key (warming, chunk) references warming_chunk on delete cascade
);
