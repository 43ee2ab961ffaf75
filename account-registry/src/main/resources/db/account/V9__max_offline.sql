-- For how long a data plane that does not reach the control plane goes on serving the account; null for a day. An earlier
-- version does not know the column and leaves it as it is.
alter table account add column max_offline_seconds integer check (max_offline_seconds between 0 and 86400);
