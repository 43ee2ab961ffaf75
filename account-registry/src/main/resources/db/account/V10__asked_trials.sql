-- An admin asked for a trial of the place, which is then tried though it is ready. An earlier version does not know the column
-- and tries such a place not.
alter table replica add column asked boolean not null default false;
create index replica_asked on replica (probe_after) where asked;
