-- A place is an account's from the moment its owner has proven it, or a platform admin vouches for it: who only names it
-- keeps nobody else from proving that it is theirs.
alter table replica add column proven boolean not null default false;
update replica set proven = true where state = 'READY';
alter table replica alter column proven drop default;
alter table replica drop constraint replica_endpoint_container_key;
create unique index replica_place on replica (endpoint, container) where proven or vouched;

-- Keys that took each other's place by rotation have the id of the first in common.
alter table api_key add column lineage text;
update api_key set lineage = id;
alter table api_key alter column lineage set not null;
alter table api_key add column successor text references api_key;
create index api_key_lineage on api_key (lineage);

create index replica_region on replica (region, resource_name);
