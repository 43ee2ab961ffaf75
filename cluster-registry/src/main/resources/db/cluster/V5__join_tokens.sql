-- What lets a process be a data plane of one cluster. Of the token only its hash is kept; one that is revoked is deleted.
create table join_token (
    id           text primary key,
    cluster      text        not null references cluster on delete cascade,
    label        text        not null,
    sha256       bytea       not null check (length(sha256) = 32),
    created_at   timestamptz not null,
    expires_at   timestamptz,
    -- Within a minute or so.
    last_used_at timestamptz,
    version      bigint      not null
);

create index join_token_cluster on join_token (cluster, id);
