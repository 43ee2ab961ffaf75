-- An operator registered it, and it stays until an operator deletes it; else it joined by itself.
alter table process add column declared boolean not null default true;
alter table process alter column declared drop default;
-- An operator wants it to take nothing new.
alter table process add column draining boolean not null default false;
alter table process alter column draining drop default;
-- When an operator last had it forget what it keeps about accounts.
alter table process add column refresh_at timestamptz;

-- What a process said when it joined.
create table lease (
    id             uuid primary key,
    cluster        text        not null,
    process        text        not null,
    instance       text        not null,
    remote_address text        not null,
    -- Told to the other members of its cluster, which prove with it that they are.
    peer_token     text        not null,
    program        text        not null,
    joined_at      timestamptz not null,
    unique (cluster, process),
    foreign key (cluster, process) references process on delete cascade
);

-- What a process says every few seconds. Nothing that changes is indexed, and pages are filled by half: so each update finds
-- room in its page and touches no index, and nothing is left for the vacuum.
create table heartbeat (
    lease               uuid primary key references lease on delete cascade,
    ends_at             timestamptz      not null,
    heard_at            timestamptz      not null,
    draining            boolean          not null,
    max_bytes_per_second bigint          not null,
    max_operations      integer          not null,
    memory_tier_bytes   bigint           not null,
    disk_tier_bytes     bigint           not null,
    cpus                integer          not null,
    bytes_per_second    bigint           not null,
    operations          integer          not null,
    streams             integer          not null,
    cpu                 double precision not null,
    memory              double precision not null,
    memory_tier         double precision not null,
    disk_tier           double precision not null,
    latency_p50_micros  bigint,
    latency_p99_micros  bigint,
    rejected_per_second double precision not null
) with (fillfactor = 50);

-- When a control plane was last able to renew leases, and when rows were last deleted. One row.
create table pulse (
    one        boolean primary key default true check (one),
    at         timestamptz not null,
    evicted_at timestamptz not null
) with (fillfactor = 50);

insert into pulse (at, evicted_at) values (now(), now());
