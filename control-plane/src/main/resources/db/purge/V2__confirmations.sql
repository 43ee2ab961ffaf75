-- Since when data planes are awaited in the present state. Time in which no control plane looked does not count.
alter table purge add column step_at timestamptz not null default now();
alter table purge add column looked_at timestamptz not null default now();
-- The latest version that the purge leaves behind without the word of all data planes, and since when it does. A data
-- plane that has not confirmed this version is in no route.
alter table purge add column left_version bigint;
alter table purge add column left_at timestamptz;
create index purge_left on purge (left_version) where left_version is not null;
