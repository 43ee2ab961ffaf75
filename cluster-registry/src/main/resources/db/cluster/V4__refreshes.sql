-- How often an operator had the process forget what it keeps about accounts, and how often it has been told to.
alter table process add column refreshes bigint not null default 0;
alter table heartbeat add column refreshes bigint not null default 0;
-- Null once another process has its address: an operator wants it to drain, so it is not forgotten.
alter table process alter column address drop not null;
