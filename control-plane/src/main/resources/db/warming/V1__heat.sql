-- What data planes told of the use of blocks, a row for each report and partition until reports are merged. Not logged: what a
-- crash takes is soon told again, and nobody waits for it.
create unlogged table heat (
    id            bigint      generated always as identity primary key,
    region        text        not null,
    resource_name text        not null,
    -- Of the partition.
    root          bytea       not null check (length(root) = 32),
    told_at       timestamptz not null,
    merged        boolean     not null,
    -- 52 bytes a block: name, the first 8 bytes of its parent's, length of its buffer, uses.
    blocks        bytea       not null
);

create index heat_account on heat (region, resource_name);
create index heat_told on heat (told_at);
