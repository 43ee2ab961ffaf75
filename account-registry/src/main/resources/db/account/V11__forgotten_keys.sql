-- Keys are forgotten some time after they ended. Their ids are not: none of them is ever a key again.
create table forgotten_key (
    id text primary key
);

create index api_key_ended on api_key (least(revoked_at, expires_at))
    where least(revoked_at, expires_at) is not null;

-- What refers to a key is looked for whenever one is forgotten.
create index api_key_successor on api_key (successor) where successor is not null;
create index account_grant_key on account_grant (key_id) where key_id is not null;
