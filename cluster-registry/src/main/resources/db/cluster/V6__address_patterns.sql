-- Where processes of a cluster may be: none is any address.
alter table cluster add column addresses text[] not null default '{}';
