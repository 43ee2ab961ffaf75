-- Where an account may be served; empty: everywhere.
alter table account add column allowed_regions text[] not null default '{}';
alter table account alter column allowed_regions drop default;

create index placement_cluster on placement (cluster);

-- Chosen by the platform: it may choose again, and nobody has to undo it before the cluster goes.
alter table placement add column automatic boolean not null default false;
alter table placement alter column automatic drop default;
