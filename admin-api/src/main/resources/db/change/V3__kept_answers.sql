-- First answers to requests with an Idempotency-Key, for 24 hours. The body is sealed with a key that only the caller can derive, from the
-- Idempotency-Key, which is kept nowhere: so an answer that shows a secret once is no secret here.
create table kept_answer (
    -- Derived from the caller and its Idempotency-Key.
    id          bytea primary key,
    caller      text        not null,
    -- Of the request, under a key derived alike.
    fingerprint bytea       not null,
    status      integer     not null,
    sealed      bytea       not null,
    at          timestamptz not null
);

create index kept_answer_caller on kept_answer (caller, at);
create index kept_answer_at on kept_answer (at);
