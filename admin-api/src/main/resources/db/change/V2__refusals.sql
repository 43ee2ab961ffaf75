-- What callers were refused: the latest of it. Apart from changes, whose order somebody waits for.
create table refusal (
    id     bigint generated always as identity primary key,
    at     timestamptz not null,
    actor  text        not null,
    role   text,
    tenant text,
    what   text        not null,
    reason text        not null
);

create index refusal_tenant on refusal (tenant, id);
create index refusal_actor on refusal (actor, id);
