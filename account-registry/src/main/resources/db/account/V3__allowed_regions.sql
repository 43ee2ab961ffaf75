-- Where an account may be served; empty: everywhere.
alter table account add column allowed_regions text[] not null default '{}';
alter table account alter column allowed_regions drop default;

create index placement_cluster on placement (cluster);
